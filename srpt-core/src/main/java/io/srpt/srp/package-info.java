/**
 * Information units of the SCSI RDMA Protocol (T10 SRP r16a, with the immediate data and multichannel details of SRP-2 as
 * Linux speaks them): how each one is laid out, and whether one that came from the wire can be trusted.
 *
 * <pre>
 *   receive buffer ──▶ InformationUnitType ──▶ CommandValidator ──▶ SrpCommand ──▶ target
 *   target ──▶ SrpResponse ──▶ send buffer          (the initiator uses the same types the other way round)
 *   CM private data ◀─▶ LoginRequest, LoginResponse, LoginReject
 * </pre>
 *
 * <p>Units of the data path are flyweights over a big-endian buffer: they allocate nothing, are used by one thread, and
 * read and write in place. Login units, which live in the private data of the connection manager, are records.
 *
 * <p>Tags are opaque: they are read and written as 64 bits and never interpreted.
 */
@NullMarked
package io.srpt.srp;

import org.jspecify.annotations.NullMarked;

/**
 * The SRP target: logins, channels, commands, and the movement of their data by RDMA.
 *
 * <pre>
 *   ConnectionManager ──REQ──▶ SrptPort ─ LoginHandler ─ AccessControl ──▶ Nexus ─ SrptChannel
 *                                                                                     │
 *   receive completion ──▶ SrptChannel ──▶ CommandContext ──begin──▶ scsi.DeviceServer
 *                              │  wait list      │  ▲ RDMA READ of data-out (SendQueue)  │ execute
 *                              │                 ▼  │                                   ▼
 *                              └ credits      DataBufferPool chunks ◀──────────── onTaskDone
 *                                                RDMA WRITE of data-in, then SRP_RSP (SendQueue)
 * </pre>
 *
 * <p>Threads: a port, its channels and all that they own belong to the loop of the {@link io.srpt.verbs.RdmaPort}, which is
 * also the loop of the device server. Methods say so when they may be called from elsewhere. The data path allocates
 * nothing and takes no lock.
 *
 * <p>What comes from a peer never throws: it ends in a status, a reject or a closed channel, and in a counter.
 */
@NullMarked
package io.srpt.target;

import org.jspecify.annotations.NullMarked;

/**
 * The device server: what a SCSI direct-access disk answers, without knowing who carries its commands.
 *
 * <pre>
 *  target ──ScsiTask (LUN, CDB, lengths)──▶ DeviceServer.begin ─ LunMap, unit attention, CommandTable, checks
 *            ◀── NEEDS_DATA_OUT / READY / DONE ──┘
 *  target ──buffers──▶ DeviceServer.execute ─▶ ScsiCommand (a class per family) ─▶ store.BlockStore
 *            ◀── ScsiTaskListener.onTaskDone: status, sense, residuals ──┘
 *
 *  PERSISTENT RESERVE OUT ─▶ Reservations (of the unit) ─▶ PersistentReservations (pure) ─▶ ReservationStore (APTPL)
 *  every other command    ─▶ ReservationRule ─ served, or RESERVATION CONFLICT
 * </pre>
 *
 * <p>A device server, its nexuses and tasks belong to one event loop; only a store's completion may come from another
 * thread, and hops back before it touches anything. Sources: SAM-6, SPC-5, SBC-4; their older versions where a class names them.
 */
@NullMarked
package io.srpt.scsi;

import org.jspecify.annotations.NullMarked;

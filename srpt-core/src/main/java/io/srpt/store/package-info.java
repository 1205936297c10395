/**
 * Where blocks live: byte-addressed stores that hold a disk's data, and nothing about SCSI or the network.
 *
 * <pre>
 *  scsi.ScsiTask ──read/write/unmap/flush──▶ BlockStore ──▶ MemoryStore, NullStore   (complete inline)
 *        ▲                                      │
 *        └────StoreCompletion.onStoreDone───────┴──▶ FileStore ──▶ StoreThreads (bounded pool) ──▶ FileOperation
 *                                                        │                                             │
 *                                        reads that cannot block ──────▶ FileCalls (system calls) ◀─ FlushQueue
 * </pre>
 *
 * <p>{@link io.srpt.store.StateFile} keeps small state beside the data, whole and durable ({@link io.srpt.durable}).
 *
 * <p>A store never blocks its caller. It completes inline on the caller's thread, or later from a thread of its own; the
 * task that issued the operation finds its way back to the event loop that owns it.
 */
@NullMarked
package io.srpt.store;

import org.jspecify.annotations.NullMarked;

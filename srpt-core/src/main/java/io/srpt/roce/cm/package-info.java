/**
 * The InfiniBand connection manager over queue pair 1, in software: REQ, MRA, REJ, REP, RTU, DREQ, DREP and TimeWait, in
 * RDMA/CM's and in plain IB/CM form.
 *
 * <pre>
 *   target ──listen, accept, reject──▶ RoceConnectionManager ◀──connect── initiator
 *                                        │  CmConnection (PassiveConnection, ActiveConnection): one state machine each
 *                                        │  CmMessage flyweights
 *                                        ▼
 *                                     MadAgent (class 7, version 2, method Send)
 * </pre>
 *
 * <p>It knows verbs and MADs only: queue pairs are moved by {@link io.srpt.verbs.QueuePair}'s modify methods.
 *
 * <p>Facts: InfiniBand Architecture Specification, volume 1, chapter 12, and annex A11 (RDMA IP CM service).
 */
@NullMarked
package io.srpt.roce.cm;

import org.jspecify.annotations.NullMarked;

package io.srpt.roce;

/**
 * The order in which what queue pairs have to send leaves at the end of a turn: a pass over all of them that send to one address
 * for each kind of packet, largest first. Packets of a kind are of like size, and the system takes a row of packets of one size
 * to one address as one message. Each queue pair's own order stays: a pass ends for it where a later kind is next.
 */
enum SendPass {
    /** RDMA READ responses and RDMA WRITEs. */
    DATA,
    /** RDMA READ requests. */
    READS,
    /** SENDs, and whatever is next after one. */
    SENDS,
    ACKNOWLEDGEMENTS
}

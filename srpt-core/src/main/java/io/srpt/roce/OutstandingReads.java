package io.srpt.roce;

/** RDMA READ requests on the wire that wait for responses: a small ring, so that the peer's limit is kept. */
final class OutstandingReads {
    private int[] endPsns = new int[0];
    private int limit;
    private int head;
    private int count;
    private int psns;
    private long bytes;

    void limit(int reads) {
        limit = reads;
        endPsns = new int[Math.max(1, reads)];
    }

    boolean hasRoom() {
        return count < limit;
    }

    int count() {
        return count;
    }

    /** PSNs that belong to responses that have not come. */
    int psns() {
        return psns;
    }

    void add(int endPsn, int span, int requestedBytes) {
        endPsns[(head + count) % endPsns.length] = endPsn;
        count++;
        psns += span;
        bytes += requestedBytes;
    }

    /** A response before {@code nextPsn} with {@code payload} bytes came in order; returns the bytes it frees. */
    int onResponse(int nextPsn, int payload) {
        if (count == 0) {
            return 0;
        }
        psns--;
        bytes -= payload;
        if (endPsns[head] == nextPsn) {
            head = (head + 1) % endPsns.length;
            count--;
        }
        return payload;
    }

    /** Forgets all, because they are asked for again; returns the bytes it frees. */
    long clear() {
        long freed = bytes;
        count = 0;
        psns = 0;
        bytes = 0;
        return freed;
    }
}

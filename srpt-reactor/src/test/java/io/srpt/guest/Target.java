package io.srpt.guest;

import java.util.List;

/** A target on the wire, until {@link #close()}. */
interface Target extends AutoCloseable {
    /** What it printed when it was ready, one line an address. */
    List<TargetLine> lines();

    /**
     * What its statistics file says, written after this call.
     *
     * @throws org.opentest4j.TestAbortedException where it has none
     */
    Report statistics();

    /** Its log, for messages. */
    String log();

    default TargetLine line(AddressFamily family) {
        return lines().stream()
                .filter(line -> line.family() == family)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + family + " line in " + lines()));
    }

    @Override
    void close();
}

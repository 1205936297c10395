package io.srpt.service;

/** Loopback addresses that no other test process on this machine uses, since all of them want UDP port 4791. */
public final class TestAddresses {
    private TestAddresses() {}

    /** The address number {@code index}, from 1, of this process. */
    public static String ofThisProcess(int index) {
        long pid = ProcessHandle.current().pid();
        return "127." + (64 + (pid >> 16 & 0x3F)) + "." + (pid >> 8 & 0xFF) + "." + ((pid + index * 37L) % 253 + 1);
    }
}

package io.srpt.guest;

import java.time.Duration;

/** The kernel's initiator in a guest: set up for a case, and asked to run the scripts of {@code src/test/guest/inside}. */
final class Initiator implements AutoCloseable {
    static final int NUMBER = 21;

    private static final Duration SET_UP_LIMIT = Duration.ofSeconds(60);

    private final GuestTool tool;
    private GuestMachine machine;
    private int mtu;

    Initiator(GuestTool tool) {
        this.tool = tool;
        this.machine = GuestMachine.boot(tool, "initiator", NUMBER);
    }

    GuestMachine machine() {
        return machine;
    }

    /** Software RoCE on an interface of this MTU, and ib_srp with these options. */
    void prepare(int wantedMtu, LoginCase.Module module) {
        StringBuilder command = new StringBuilder();
        if (mtu != wantedMtu) {
            command.append("rdma_up ").append(wantedMtu).append("; ");
        }
        command.append("srp_load ").append(module.options());
        machine.run(SET_UP_LIMIT, command.toString());
        mtu = wantedMtu;
    }

    /** Runs a script with arguments that need no quoting other than the empty one. */
    Report run(Duration limit, String script, String... arguments) {
        StringBuilder command = new StringBuilder("bash /guest/").append(script);
        for (String argument : arguments) {
            command.append(" '").append(argument).append('\'');
        }
        return machine.run(limit, command.toString());
    }

    /** After a case that failed half-way: no session, no faults; a new guest where this one does not come back. */
    void recover() {
        try {
            machine.run(SET_UP_LIMIT, "bash /guest/netem.sh off >/dev/null 2>&1; srp_logout_all");
        } catch (AssertionError e) {
            machine.close();
            machine = GuestMachine.boot(tool, "initiator", NUMBER);
            mtu = 0;
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}

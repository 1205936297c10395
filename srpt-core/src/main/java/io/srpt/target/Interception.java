package io.srpt.target;

import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the {@link CommandInterceptor} of a port, through one view that is used again. Port's loop. */
final class Interception implements ArrivedCommand {
    private static final Logger LOG = LoggerFactory.getLogger(Interception.class);

    private final String port;
    private final TargetCounters counters;
    private final CommandInterceptor interceptor;
    private @Nullable SrptChannel channel;
    private @Nullable SrpCommand command;
    private boolean logged;

    Interception(String port, TargetCounters counters, CommandInterceptor interceptor) {
        this.port = port;
        this.counters = counters;
        this.interceptor = interceptor;
    }

    /** What happens to {@code arrived}. */
    CommandFault ask(SrptChannel of, SrpCommand arrived) {
        channel = of;
        command = arrived;
        try {
            CommandFault fault = interceptor.intercept(this);
            if (!(fault instanceof CommandFault.Pass)) {
                counters.faultsInjected.increment();
                LOG.debug("{}: command 0x{}: {}", of, Integer.toHexString(operationCode()), fault);
            }
            return fault;
        } catch (RuntimeException e) {
            counters.handlerErrors.increment();
            if (!logged) {
                logged = true;
                LOG.warn("{}: the command interceptor failed; further failures are only counted", port, e);
            }
            return CommandFault.PASS;
        } finally {
            channel = null;
            command = null;
        }
    }

    private SrpCommand command() {
        SrpCommand current = command;
        if (current == null) {
            throw new IllegalStateException("the command was valid during the interceptor's call only");
        }
        return current;
    }

    private SrptChannel arrivedOn() {
        SrptChannel current = channel;
        if (current == null) {
            throw new IllegalStateException("the command was valid during the interceptor's call only");
        }
        return current;
    }

    @Override
    public String port() {
        return port;
    }

    @Override
    public long channel() {
        return arrivedOn().id();
    }

    @Override
    public PortId initiatorPort() {
        return arrivedOn().initiatorPort();
    }

    @Override
    public long tag() {
        return command().tag();
    }

    @Override
    public long lun() {
        return command().lun();
    }

    @Override
    public int cdbLength() {
        return command().cdbLength();
    }

    @Override
    public int cdbByte(int index) {
        SrpCommand of = command();
        if (index < 0 || index >= of.cdbLength()) {
            throw new IndexOutOfBoundsException("byte " + index + " of a CDB of " + of.cdbLength());
        }
        return of.buffer().get(of.cdbOffset() + index) & 0xFF;
    }

    @Override
    public long dataLength() {
        return command().dataLength();
    }
}

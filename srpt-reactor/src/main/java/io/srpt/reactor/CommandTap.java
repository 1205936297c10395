package io.srpt.reactor;

import io.srpt.reactor.event.CommandCompleted;
import io.srpt.reactor.jfr.JfrEvents;
import io.srpt.target.CommandListener;
import io.srpt.target.CommandOutcome;
import io.srpt.target.SrptPort;
import io.srpt.verbs.RdmaLoop;

/**
 * Takes a port's commands to observers and slow ones to the flight recorder. It listens only while one of both is wanted.
 *
 * <p>Threads: the port's loop.
 */
final class CommandTap implements CommandListener {
    private final SrptPort port;
    private final EventStream observers;
    private final long slowNanos;
    private boolean listening;

    /** {@code slowNanos} 0: none is slow. */
    CommandTap(SrptPort port, EventStream observers, long slowNanos) {
        this.port = port;
        this.observers = observers;
        this.slowNanos = slowNanos;
    }

    RdmaLoop loop() {
        return port.rdmaPort().loop();
    }

    /** Begins or ends to listen, as the observers are now. */
    void update() {
        boolean wanted = slowNanos > 0 || observers.isObserved();
        if (wanted && !listening) {
            port.addCommandListener(this);
        } else if (!wanted && listening) {
            port.removeCommandListener(this);
        }
        listening = wanted;
    }

    /** Ends to listen, for good. */
    void stop() {
        if (listening) {
            port.removeCommandListener(this);
            listening = false;
        }
    }

    @Override
    public void onCommand(CommandOutcome outcome) {
        if (slowNanos > 0 && outcome.nanos() >= slowNanos) {
            JfrEvents.slowCommand(outcome);
        }
        if (observers.isObserved()) {
            observers.emit(CommandCompleted.of(outcome));
        }
    }
}

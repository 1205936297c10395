package io.srpt.target;

import java.util.Arrays;

/** The {@link CommandListener}s of a port. Without one, a command costs a look at an empty array. Port's loop. */
final class CommandListeners {
    private CommandListener[] listeners = new CommandListener[0];

    void add(CommandListener listener) {
        CommandListener[] longer = Arrays.copyOf(listeners, listeners.length + 1);
        longer[listeners.length] = listener;
        listeners = longer;
    }

    void remove(CommandListener listener) {
        listeners = Arrays.stream(listeners).filter(each -> each != listener).toArray(CommandListener[]::new);
    }

    boolean isEmpty() {
        return listeners.length == 0;
    }

    void onCommand(CommandOutcome outcome) {
        for (CommandListener listener : listeners) {
            listener.onCommand(outcome);
        }
    }
}

package io.srpt.target;

/** Is told of every command that ends. */
@FunctionalInterface
public interface CommandListener {
    /**
     * A command ended: its response was acknowledged, or it gets none. On the port's loop; must not block or throw.
     *
     * @param outcome valid during the call only
     */
    void onCommand(CommandOutcome outcome);
}

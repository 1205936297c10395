package io.srpt.initiator;

/** Who is told that a command has ended. */
@FunctionalInterface
public interface CommandCallback {
    /**
     * {@code command} ended; read its outcome, then either {@link InitiatorCommand#release()} it or {@link InitiatorCommand#reset()}
     * and submit it again. On the session's loop; must not block. After {@link InitiatorCommand.Outcome#SESSION_LOST} do not
     * submit again.
     */
    void onCommandEnd(InitiatorCommand command);
}

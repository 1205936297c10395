package io.srpt.initiator;

/** Who is told that a command has ended. */
@FunctionalInterface
public interface SrpCommandCallback {
    /**
     * {@code command} ended; read its outcome, then either {@link SrpCommand#release()} it or {@link SrpCommand#reset()}
     * and submit it again. On the session's loop; must not block. After {@link SrpCommand.Outcome#SESSION_LOST} do not
     * submit again.
     */
    void onCommandEnd(SrpCommand command);
}

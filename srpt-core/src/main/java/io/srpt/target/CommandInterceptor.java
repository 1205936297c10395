package io.srpt.target;

/**
 * Decides for each command whether something goes wrong with it: for those who test initiators. A port has at most one,
 * see {@link SrptPort#commandInterceptor}; without one a command costs a null check.
 */
@FunctionalInterface
public interface CommandInterceptor {
    /**
     * A command came, and its unit is valid; nothing was done for it yet. On the port's loop; must not block. If it throws,
     * that is counted in {@link TargetCounters#handlerErrors}, logged once, and the command passes.
     *
     * @param command valid during the call only
     * @return what happens to it, {@link CommandFault#PASS} for nothing
     */
    CommandFault intercept(ArrivedCommand command);
}

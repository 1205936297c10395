package io.srpt.reactor.fault;

import io.srpt.target.CommandFault;

/**
 * What a pipeline decided about a command.
 *
 * @param command the command
 * @param fault what happens to it
 */
public record CommandInjection(InjectableCommand command, CommandFault fault) {}

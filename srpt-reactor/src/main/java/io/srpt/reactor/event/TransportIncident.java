package io.srpt.reactor.event;

import io.srpt.verbs.TransportEventListener;

/**
 * Something went wrong in a software transport.
 *
 * @param port where
 * @param kind what
 * @param queuePair our queue pair's number, 0 if it is not known
 * @param detail depends on {@code kind}, see {@link TransportEventListener.Kind}
 */
public record TransportIncident(String port, TransportEventListener.Kind kind, int queuePair, long detail)
        implements TransportEvent {}

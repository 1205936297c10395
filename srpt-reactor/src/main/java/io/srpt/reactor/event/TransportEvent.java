package io.srpt.reactor.event;

/** What goes wrong below the queue pairs: loss, empty receive queues, damaged packets. */
public sealed interface TransportEvent extends SrptEvent permits EventsMissed, TransportIncident {}

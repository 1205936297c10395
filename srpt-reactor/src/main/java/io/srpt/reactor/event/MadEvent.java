package io.srpt.reactor.event;

/** Copies of what the owners of management datagrams get. */
public sealed interface MadEvent extends SrptEvent permits EventsMissed, MadArrived, MadSent {}

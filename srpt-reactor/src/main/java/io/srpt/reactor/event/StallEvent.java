package io.srpt.reactor.event;

/** Event loops that did not turn for too long. */
public sealed interface StallEvent extends SrptEvent permits EventsMissed, LoopStalled {}

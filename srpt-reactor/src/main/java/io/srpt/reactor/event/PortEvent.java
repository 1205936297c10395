package io.srpt.reactor.event;

/** Asynchronous events of devices and ports. */
public sealed interface PortEvent extends SrptEvent permits EventsMissed, PortIncident {}

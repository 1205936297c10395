package io.srpt.reactor.event;

/** The life of channels: every state, the release, and events of their queue pair and connection. */
public sealed interface ChannelEvent extends SrptEvent permits ChannelReleased, ChannelStateChanged, ConnectionIncident, EventsMissed, QueuePairIncident {}

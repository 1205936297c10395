package io.srpt.reactor.event;

import io.srpt.verbs.DeviceEventListener;

/**
 * An asynchronous event of a device ({@code srpt_event_handler}; its shared receive queue events are those of
 * {@code srpt_srq_event}).
 *
 * @param device the device's name
 * @param port the port's name, {@link SrptEvent#NO_PORT} if it is the whole device's
 * @param event what happened
 */
public record PortIncident(String device, String port, DeviceEventListener.Event event) implements PortEvent {}

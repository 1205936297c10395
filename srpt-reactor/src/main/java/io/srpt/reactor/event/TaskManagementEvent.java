package io.srpt.reactor.event;

/** Task management functions that were answered. */
public sealed interface TaskManagementEvent extends SrptEvent permits EventsMissed, TaskManagementDone {}

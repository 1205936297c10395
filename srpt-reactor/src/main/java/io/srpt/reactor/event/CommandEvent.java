package io.srpt.reactor.event;

/** SCSI commands that ended. */
public sealed interface CommandEvent extends SrptEvent permits CommandCompleted, EventsMissed {}

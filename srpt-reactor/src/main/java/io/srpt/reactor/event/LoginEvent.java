package io.srpt.reactor.event;

/** Logins, accepted or refused. */
public sealed interface LoginEvent extends SrptEvent permits EventsMissed, LoginAccepted, LoginRejected {}

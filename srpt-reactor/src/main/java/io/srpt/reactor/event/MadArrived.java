package io.srpt.reactor.event;

import io.srpt.verbs.Gid;

/**
 * A management datagram came: a copy of what its owner got.
 *
 * @param port where
 * @param source from which GID
 * @param managementClass its class
 * @param method its method
 * @param attributeId its attribute
 * @param attributeModifier its modifier
 * @param transactionId its transaction id
 */
public record MadArrived(
        String port,
        Gid source,
        int managementClass,
        int method,
        int attributeId,
        int attributeModifier,
        long transactionId)
        implements MadEvent {}

package io.srpt.reactor.event;

import io.srpt.verbs.WorkCompletionStatus;

/**
 * A management send ended: a copy of what its owner got.
 *
 * @param port where
 * @param status how it ended
 * @param vendorError the provider's own error number
 * @param managementClass the agent's class
 * @param method the datagram's method
 * @param attributeId its attribute
 * @param transactionId its transaction id
 */
public record MadSent(
        String port,
        WorkCompletionStatus status,
        int vendorError,
        int managementClass,
        int method,
        int attributeId,
        long transactionId)
        implements MadEvent {}

package io.srpt.mad;

/**
 * A reply that is about to be sent.
 *
 * @param port name of the port
 * @param managementClass its class
 * @param method its method, with the response bit
 * @param attributeId its attribute
 * @param attributeModifier its modifier
 * @param status its status
 * @param transactionId the requester's transaction id
 * @param to where it goes
 */
public record MadReply(
        String port,
        int managementClass,
        int method,
        int attributeId,
        int attributeModifier,
        int status,
        long transactionId,
        MadAddress to) {}

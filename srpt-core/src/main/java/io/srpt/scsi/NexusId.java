package io.srpt.scsi;

/**
 * What names an I_T nexus for good: it stays the same when the nexus is lost and comes back, and over restarts.
 *
 * @param initiatorPort the initiator port
 * @param targetPort the relative identifier of the target port
 */
public record NexusId(TransportId initiatorPort, int targetPort) {
    @Override
    public String toString() {
        return initiatorPort + ",t," + targetPort;
    }
}

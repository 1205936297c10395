package io.srpt.roce;

/**
 * What a software device is made with.
 *
 * @param name for logs and metrics, such as {@code roce-eth0}
 * @param nodeGuid EUI-64 that names the device to its peers
 * @param pathMtu the largest path MTU in bytes: 256, 512, 1024, 2048 or 4096
 * @param madBuffers management datagrams that may be in use at once
 */
public record RoceConfiguration(String name, long nodeGuid, int pathMtu, int madBuffers) {
    private static final int DEFAULT_MAD_BUFFERS = 256;

    /** With 256 buffers for management datagrams. */
    public static RoceConfiguration of(String name, long nodeGuid, int pathMtu) {
        return new RoceConfiguration(name, nodeGuid, pathMtu, DEFAULT_MAD_BUFFERS);
    }
}

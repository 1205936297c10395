package io.srpt.verbs;

/**
 * What is in use of a device by this process.
 *
 * @param queuePairs those for management datagrams included
 * @param addressHandles address handles
 * @param memoryRegions memory regions
 * @param registeredBytes bytes of those regions
 */
public record DeviceResources(long queuePairs, long addressHandles, long memoryRegions, long registeredBytes) {
    /** Nothing, or a provider that does not count. */
    public static final DeviceResources NONE = new DeviceResources(0, 0, 0, 0);
}

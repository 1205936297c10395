package io.srpt.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An RDMA device (HCA): a provider's root object. Control path; the loops given must be running. */
public interface RdmaDevice extends AutoCloseable {
    /** Such as {@code srpt0} or {@code mlx5_0}. */
    String name();

    DeviceAttributes attributes();

    /** Its ports, number 1 first. */
    List<RdmaPort> ports();

    /** What is in use of it. Any thread. */
    default DeviceResources resources() {
        return DeviceResources.NONE;
    }

    /** Makes a protection domain. */
    ProtectionDomain allocateProtectionDomain() throws VerbsException;

    /** Makes a completion queue that {@code loop} polls from now on. */
    CompletionQueue createCompletionQueue(RdmaLoop loop, int capacity, CompletionListener listener)
            throws VerbsException;

    /** Tells {@code listener} of asynchronous events from now on, on the loop of the port. Any thread. */
    void addEventListener(DeviceEventListener listener);

    /** Stops telling {@code listener}. Any thread. */
    void removeEventListener(DeviceEventListener listener);

    /**
     * Tells {@code listener}, and no longer an earlier one, what goes wrong in the transport; {@code null} tells nobody. On
     * the loop. Providers that do not learn of such things ignore it.
     */
    default void transportListener(@Nullable TransportEventListener listener) {}

    /** Closes ports and frees the device. What was made on it must be closed before. */
    @Override
    void close();
}

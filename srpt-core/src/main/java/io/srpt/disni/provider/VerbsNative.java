package io.srpt.disni.provider;

import org.jspecify.annotations.Nullable;

/**
 * Natives for what DiSNI has no call for. Arguments named after objects are the libraries' pointers, as DiSNI's
 * {@code NatObject.getObjId()} gives them; {@code record}, {@code path} and the like are addresses of the flat records of
 * {@code srpt_verbs.h}, laid out in {@link Records}.
 *
 * <p>Results below zero are minus an error number. No call blocks but {@link #destroyQueuePair}, {@link #openMads} and
 * {@link #closeMads}, shortly. The library is the one that DiSNI loads. Any thread, but one at a time for an object.
 */
final class VerbsNative {
    private VerbsNative() {}

    static native @Nullable String deviceName(int index);

    /** librdmacm's context of a device; it is never closed. */
    static native long deviceContext(String name);

    static native int queryDevice(long context, long deviceRecord);

    static native int queryPort(long context, int port, long portRecord);

    /** -ENOENT for an entry that is empty or not for RDMA/CM. */
    static native int queryGid(long context, int port, int index, long gidRecord);

    static native int asyncDescriptor(long context);

    /** Takes an event: 1, or 0 when none waits. */
    static native int asyncEvent(long context, long asyncRecord);

    static native int completionDescriptor(long channel);

    static native long createQueuePair(long initRecord);

    static native int destroyQueuePair(long queuePair);

    static native int queuePairState(long queuePair);

    static native int toInit(long queuePair, int port, int pkeyIndex, int access, int queueKey);

    static native int toRtr(
            long queuePair, long path, int mtu, int remoteQueuePair, int psn, int reads, int minRnrTimer);

    static native int toRts(long queuePair, int psn, int timeout, int retries, int rnrRetries, int reads);

    static native int toError(long queuePair);

    /** Moves a queue pair to a state of {@code enum ibv_qp_state} with what the connection manager knows of {@code id}. */
    static native int toStateOfConnection(long queuePair, long id, int state, int reads, int minRnrTimer);

    static native int postSend(long queuePair, long sendRecord);

    static native long createSharedReceiveQueue(long domain, int requests, int segments);

    static native int postSharedReceive(long queue, long workRequest, long segments, int count);

    static native int destroySharedReceiveQueue(long queue);

    static native long createAddressHandle(long domain, long path);

    static native int destroyAddressHandle(long handle);

    static native int channelDescriptor(long channel);

    /** Takes an event: 1, or 0 when none waits. */
    static native int connectionEvent(long channel, long eventRecord);

    static native int bind(long id, long gid, int scope, int port);

    static native int resolveAddress(long id, long source, long destination, int scope, int port, int timeoutMillis);

    static native int connect(long id, long parameters);

    static native int accept(long id, long parameters);

    static native int reject(long id, long data, int length);

    static native int establish(long id);

    static native int communicationEstablished(long id);

    /** A port of libibumad with an agent for Device Management; its number goes to {@code agent}. -EBUSY: it has one. */
    static native int openMads(String device, int port, long agent);

    static native int madDescriptor(int umad);

    /** Takes a datagram: 1, or 0 when none waits. */
    static native int receiveMad(int umad, long madRecord);

    static native int sendMad(int umad, int agent, long madRecord);

    static native int closeMads(int umad, int agent);
}

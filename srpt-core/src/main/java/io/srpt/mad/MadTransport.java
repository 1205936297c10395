package io.srpt.mad;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;

/**
 * Carries management datagrams: a queue pair and its completion queue, or a simulated wire.
 *
 * <p>Threads: the port's loop, callbacks too.
 */
public interface MadTransport extends AutoCloseable {
    /** Where buffers to send come from; received datagrams come in buffers of it too. */
    MadBufferPool pool();

    /** Begins to receive. Called once. */
    void start(Listener listener) throws VerbsException;

    /** Whether responses to what we send come back here. */
    default boolean takesResponses() {
        return true;
    }

    /** Makes an address handle; whoever asks closes it. */
    AddressHandle createAddressHandle(AddressVector vector) throws VerbsException;

    /**
     * Sends the 256 bytes of {@code buffer}. After OK one {@link Listener#onSendCompletion} follows, never during the
     * call, and until then buffer and handle must live; after anything else nothing follows.
     */
    PostResult send(MadBuffer buffer, AddressHandle handle, int remoteQueuePair, int pkeyIndex);

    /** Stops and closes the pool: sends not completed yet are forgotten and never reported. */
    @Override
    void close();

    /** Who is told. */
    interface Listener {
        /** The send of the buffer with {@code token} ended. {@code completion} is valid during the call only. */
        void onSendCompletion(long token, WorkCompletion completion);

        /**
         * A datagram came, with at least 256 bytes; the buffer is the callee's now and must be released to the pool.
         * {@code completion} is valid during the call only.
         */
        void onReceive(MadBuffer buffer, WorkCompletion completion);

        /** A datagram came and was dropped. */
        void onReceiveDropped(MadDropReason reason);
    }
}

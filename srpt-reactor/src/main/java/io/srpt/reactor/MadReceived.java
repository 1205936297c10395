package io.srpt.reactor;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.ReceivedMad;

/**
 * A management datagram that came, for its owner, who must {@link #release()} it.
 *
 * @param port name of the port
 * @param mad the datagram; its bytes may be read on the port's loop until the release
 * @param method its method
 * @param attributeId its attribute
 * @param attributeModifier its modifier
 * @param transactionId its transaction id
 */
public record MadReceived(
        String port, ReceivedMad mad, int method, int attributeId, int attributeModifier, long transactionId) {
    static MadReceived of(ReceivedMad mad, MadHeader header) {
        header.wrap(mad.buffer().buffer(), MadBuffer.MAD_OFFSET);
        return new MadReceived(
                mad.agent().service().name(),
                mad,
                header.method(),
                header.attributeId(),
                header.attributeModifier(),
                header.transactionId());
    }

    /** Where it came from. */
    public MadAddress source() {
        return mad.source();
    }

    /** Gives the buffer back, from any thread; see {@link ReceivedMad#release()}. */
    public boolean release() {
        return mad.release();
    }
}

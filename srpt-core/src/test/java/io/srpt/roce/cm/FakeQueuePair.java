package io.srpt.roce.cm;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.VerbsException;

/** A queue pair that remembers how it was moved, and refuses moves that verbs do not know. */
final class FakeQueuePair implements QueuePair {
    private final int number;
    private QueuePairState state = QueuePairState.RESET;
    InitAttributes init;
    RtrAttributes rtr;
    RtsAttributes rts;
    boolean refuseRtr;

    FakeQueuePair(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public void modifyToInit(InitAttributes attributes) throws VerbsException {
        move(QueuePairState.RESET, QueuePairState.INIT);
        init = attributes;
    }

    @Override
    public void modifyToRtr(RtrAttributes attributes) throws VerbsException {
        if (refuseRtr) {
            throw new VerbsException("refused by the test");
        }
        move(QueuePairState.INIT, QueuePairState.RTR);
        rtr = attributes;
    }

    @Override
    public void modifyToRts(RtsAttributes attributes) throws VerbsException {
        move(QueuePairState.RTR, QueuePairState.RTS);
        rts = attributes;
    }

    @Override
    public void modifyToError() {
        state = QueuePairState.ERR;
    }

    @Override
    public PostResult postSend(SendWorkRequest request) {
        return PostResult.WRONG_STATE;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        return PostResult.WRONG_STATE;
    }

    @Override
    public int freeSendSlots() {
        return 0;
    }

    @Override
    public void close() {}

    private void move(QueuePairState from, QueuePairState to) throws VerbsException {
        if (state != from) {
            throw new VerbsException("queue pair " + number + " is in " + state + ", not " + from);
        }
        state = to;
    }
}

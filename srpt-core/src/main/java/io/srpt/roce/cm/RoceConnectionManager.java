package io.srpt.roce.cm;
import io.srpt.verbs.*;
import io.srpt.mad.*;
public final class RoceConnectionManager implements ConnectionManager {
    public RoceConnectionManager(MadPort p, ProtectionDomain d) {}
    public void start() {}
    public void close() {}
    public void onCommunicationEstablished(QueuePair q) {}
    public Listener listen(long s, ConnectionRequestHandler h) { return () -> {}; }
    public Connection connect(ConnectParameters p, QueuePair q, ConnectionHandler h) { throw new IllegalStateException(); }
}

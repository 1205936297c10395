package io.srpt.verbs;

import java.util.List;

/** A port of a device: one network interface with its addresses. */
public interface RdmaPort {
    RdmaDevice device();

    /** 1 for the first. */
    int number();

    /** The loop on which the port's management (QP1, connection manager) runs. */
    RdmaLoop loop();

    /** The GID table: index 0 first; {@link Gid#ZERO} where an address has gone away. Any thread. */
    List<Gid> gids();

    /** Largest path MTU in bytes, one of 256, 512, 1024, 2048, 4096. */
    int activeMtu();

    ConnectionManager connectionManager();
}

package io.srpt.mad;

import io.srpt.verbs.RdmaPort;

/** A port whose management datagrams pass through this process. */
public interface MadPort extends RdmaPort {
    /** The port's service for management datagrams. */
    MadService mads();
}

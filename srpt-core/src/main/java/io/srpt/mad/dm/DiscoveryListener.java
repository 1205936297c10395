package io.srpt.mad.dm;

import java.util.List;

/** Gets the one outcome of a discovery, on the port's loop. */
public interface DiscoveryListener {
    /** The unit answered; the list may be empty. */
    void onDiscovered(List<DiscoveredController> controllers);

    /**
     * The unit did not answer an attribute.
     *
     * @param reason for humans
     */
    void onDiscoveryFailed(String reason);
}

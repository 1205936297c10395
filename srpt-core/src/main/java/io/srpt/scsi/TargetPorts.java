package io.srpt.scsi;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ports through which a device server is reached, by relative target port identifier. Owner loop only. */
public final class TargetPorts {
    private final SortedMap<Integer, TargetPort> ports = new TreeMap<>();

    private final AsymmetricAccess access;

    TargetPorts(AsymmetricAccess access) {
        this.access = access;
    }

    /** A new port with the lowest relative identifier that is free: ports that come in the same order are the same. */
    public TargetPort add(long extension, long guid) {
        int relativeId = 1;
        while (ports.containsKey(relativeId)) {
            relativeId++;
        }
        TargetPort port = new TargetPort(relativeId, extension, guid);
        ports.put(relativeId, port);
        access.onPortsChanged();
        return port;
    }

    /** Takes {@code port} away, whose nexuses are gone. */
    public void remove(TargetPort port) {
        if (ports.remove(port.relativeId(), port)) {
            access.leave(port);
        }
    }

    /** The port with this relative identifier, or null. */
    public @Nullable TargetPort find(int relativeId) {
        return ports.get(relativeId);
    }

    /** All of them, by relative identifier; a view. */
    public Collection<TargetPort> all() {
        return Collections.unmodifiableCollection(ports.values());
    }
}

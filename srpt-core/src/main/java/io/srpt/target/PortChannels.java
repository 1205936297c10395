package io.srpt.target;

import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LunView;
import io.srpt.srp.PortId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a port from login to release, the nexuses that they belong to, and who waits for some of them to be gone. Loop
 * of the port, {@link #snapshot()} from anywhere.
 */
final class PortChannels {
    private final SrptPort port;
    private final List<SrptChannel> channels = new ArrayList<>();
    private final Map<Nexus.Key, Nexus> nexuses = new HashMap<>();
    private final List<Departure> departures = new ArrayList<>();
    private volatile List<ChannelInfo> snapshot = List.of();

    private record Departure(Set<SrptChannel> channels, CompletableFuture<Void> gone) {}

    PortChannels(SrptPort port) {
        this.port = port;
    }

    List<ChannelInfo> snapshot() {
        return snapshot;
    }

    boolean isEmpty() {
        return channels.isEmpty();
    }

    List<SrptChannel> all() {
        return Collections.unmodifiableList(channels);
    }

    /** Those that {@code group} let in. */
    List<SrptChannel> admittedBy(TargetPortGroup group) {
        return channels.stream()
                .filter(channel -> channel.admission().group() == group)
                .toList();
    }

    /** Those of an initiator port. */
    List<SrptChannel> of(PortId initiator) {
        return channels.stream()
                .filter(channel -> channel.info().initiatorPort().equals(initiator))
                .toList();
    }

    void add(SrptChannel channel) {
        channels.add(channel);
        onChange();
    }

    void onChange() {
        snapshot = channels.stream().map(SrptChannel::info).toList();
    }

    void remove(SrptChannel channel) {
        channels.remove(channel);
        onChange();
    }

    /** Ends {@code ending}, which may be ending already; completes when they are released, at once if there are none. */
    CompletableFuture<Void> end(Collection<SrptChannel> ending, String detail) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        List<SrptChannel> all = List.copyOf(ending);
        if (all.isEmpty()) {
            gone.complete(null);
        } else {
            departures.add(new Departure(new HashSet<>(all), gone));
        }
        all.forEach(channel -> channel.end(ChannelEnd.DISABLED, detail));
        return gone;
    }

    /** Tells those who waited for it. */
    void onReleased(SrptChannel channel) {
        for (Departure departure : List.copyOf(departures)) {
            if (departure.channels.remove(channel) && departure.channels.isEmpty()) {
                departures.remove(departure);
                departure.gone.complete(null);
            }
        }
    }

    /** The nexus with this key, made if there is none; one that is new sees what {@code view} says. */
    Nexus nexus(Nexus.Key key, LunView view) {
        Nexus nexus = nexuses.get(key);
        if (nexus == null) {
            nexus = new Nexus(port, key, port.deviceServer(), view);
            nexuses.put(key, nexus);
            port.counters().nexusesInUse.increment();
        }
        return nexus;
    }

    void onNexusLost(Nexus nexus) {
        nexuses.remove(nexus.key());
        port.counters().nexusesInUse.decrement();
    }

    /** Tells the nexuses, but for {@code issuer}, for which a fault holds commands for {@code unit} that these are cleared. */
    void tellOfHeld(io.srpt.scsi.Nexus issuer, LogicalUnit unit) {
        for (SrptChannel channel : channels) {
            if (channel.scsiNexus() != issuer && channel.dispatcher().holdsFor(unit)) {
                port.deviceServer().taskManagement().tellCleared(channel.scsiNexus(), unit);
            }
        }
    }

    /** Ends the commands for {@code unit} that a fault holds, without response: of one nexus, or of all if that is null. */
    void abortHeld(@Nullable Nexus nexus, LogicalUnit unit) {
        for (SrptChannel channel : channels) {
            if (nexus == null || channel.isOf(nexus)) {
                channel.dispatcher().abortHeld(unit);
            }
        }
    }
}

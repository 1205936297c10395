package io.srpt.scsi;

import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An I_T nexus: one initiator port as the device server knows it, with the unit attention conditions pending for it.
 *
 * <p>Got from {@link DeviceServer#openNexus}; each channel of an initiator holds it once and closes it once at logout.
 * Owner loop only.
 */
public final class Nexus implements AutoCloseable {
    private final DeviceServer server;
    private final NexusId id;
    private final TargetPort targetPort;
    private final Map<LogicalUnit, UnitAttentionQueue> attentions = new IdentityHashMap<>();
    private LunView view;
    private @Nullable AttentionListener listener;
    private final CopyStatuses copies = new CopyStatuses(System::nanoTime);
    private int holders;

    Nexus(DeviceServer server, NexusId id, TargetPort targetPort, LunView view) {
        this.server = server;
        this.id = id;
        this.targetPort = targetPort;
        this.view = view;
    }

    /** What it sees of the target's units. */
    public LunView view() {
        return view;
    }

    /** Changes what it sees; its initiator learns of it by unit attention. Commands under way go on with their units. */
    public void view(LunView newView) {
        if (!view.equals(newView)) {
            view = newView;
            server.announceLunChange(this);
        }
    }

    /** What names it, which it shares with the same nexus before its loss. */
    public NexusId id() {
        return id;
    }

    /** The port of the initiator. */
    public TransportId transportId() {
        return id.initiatorPort();
    }

    /** The port of the target that it goes through. */
    public TargetPort targetPort() {
        return targetPort;
    }

    /** Its copies, which end with it. */
    CopyStatuses copies() {
        return copies;
    }

    /** Hears of conditions when they arise, before a command of the initiator meets them. */
    @FunctionalInterface
    public interface AttentionListener {
        /** A condition is pending, for the unit that the nexus sees under {@code lun}, eight raw bytes. On the owner loop. */
        void onAttention(long lun, Sense condition);
    }

    /** Tells {@code newListener} of conditions of units that the nexus sees, null for nobody. */
    public void attentionListener(@Nullable AttentionListener newListener) {
        listener = newListener;
    }

    void hold() {
        holders++;
    }

    /**
     * Gives one hold back; with the last one the nexus is lost. The caller has ended its tasks before, or aborts them with
     * {@link DeviceServer#abort}.
     */
    @Override
    public void close() {
        if (holders > 0 && --holders == 0) {
            server.nexusLost(this);
            attentions.clear();
        }
    }

    /** {@code attention} is pending from now on, and the listener hears of it. */
    void establish(LogicalUnit unit, UnitAttention attention) {
        pend(unit, attention);
        if (listener != null) {
            for (int lun = 0; lun < server.limit(this); lun++) {
                if (server.logicalUnit(this, Lun.encode(lun)) == unit) {
                    listener.onAttention(Lun.encode(lun), attention.sense());
                    return;
                }
            }
        }
    }

    /** The list of units is another one: the listener hears of it once, for the first unit that is seen. */
    void tellLunChange() {
        if (listener != null) {
            int lun = 0;
            while (lun < server.limit(this) && server.logicalUnit(this, Lun.encode(lun)) == null) {
                lun++;
            }
            long first = lun < server.limit(this) ? Lun.encode(lun) : 0;
            listener.onAttention(first, UnitAttention.REPORTED_LUNS_CHANGED.sense());
        }
    }

    /** {@code attention} is pending from now on; nobody hears of it before it is polled. */
    void pend(LogicalUnit unit, UnitAttention attention) {
        attentions.computeIfAbsent(unit, u -> new UnitAttentionQueue()).establish(attention);
    }

    /** The most important condition pending for {@code unit}, no longer pending then. */
    @Nullable
    UnitAttention pollAttention(LogicalUnit unit) {
        if (attentions.isEmpty()) {
            return null;
        }
        UnitAttentionQueue queue = attentions.get(unit);
        if (queue == null) {
            return null;
        }
        UnitAttention attention = queue.poll();
        if (queue.isEmpty()) {
            attentions.remove(unit);
        }
        return attention;
    }

    /** Drops {@code attention} for all units, since the initiator learned of it in another way. */
    void clearAttention(UnitAttention attention) {
        if (!attentions.isEmpty()) {
            attentions.values().forEach(queue -> queue.clear(attention));
            attentions.values().removeIf(UnitAttentionQueue::isEmpty);
        }
    }

    void forget(LogicalUnit unit) {
        attentions.remove(unit);
    }

    @Override
    public String toString() {
        return id.toString();
    }
}

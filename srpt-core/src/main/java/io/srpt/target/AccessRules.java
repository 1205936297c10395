package io.srpt.target;

import io.srpt.scsi.LunView;
import io.srpt.srp.PortId;
import io.srpt.verbs.Gid;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of rules, of which the first that matches counts.
 *
 * @param rules in order
 */
public record AccessRules(List<Rule> rules) implements AccessControl {
    /** Copies the list. */
    public AccessRules {
        rules = List.copyOf(rules);
    }

    @Override
    public @Nullable Grant admit(Initiator initiator) {
        for (Rule rule : rules) {
            if (rule.who().matches(initiator)) {
                return new Grant(rule.view(), rule.name());
            }
        }
        return null;
    }

    /** The same without the rules called {@code name}. */
    public AccessRules without(String name) {
        return new AccessRules(
                rules.stream().filter(rule -> !rule.name().equals(name)).toList());
    }

    /** The same with {@code rule} behind the others. */
    public AccessRules with(Rule rule) {
        List<Rule> all = new ArrayList<>(rules);
        all.add(rule);
        return new AccessRules(all);
    }

    /**
     * One rule.
     *
     * @param name for the log
     * @param who whom it is about
     * @param view what they see
     */
    public record Rule(String name, Who who, LunView view) {}

    /** Whom a rule is about. */
    public sealed interface Who {
        boolean matches(Initiator initiator);
    }

    /** An initiator port identifier. */
    public record Port(PortId id) implements Who {
        @Override
        public boolean matches(Initiator initiator) {
            return id.equals(initiator.port());
        }
    }

    /** A GUID: the second half of the port identifier, or the node's. */
    public record Guid(long value) implements Who {
        @Override
        public boolean matches(Initiator initiator) {
            return value == initiator.port().guid() || value == initiator.nodeGuid();
        }
    }

    /** Whom one of two means. */
    public record Either(Who one, Who other) implements Who {
        @Override
        public boolean matches(Initiator initiator) {
            return one.matches(initiator) || other.matches(initiator);
        }
    }

    /**
     * An address of the initiator, or all that begin with the same bits.
     *
     * @param address of which the rest is not looked at
     * @param length bits of a GID, where an IPv4 address is the last 32 of 128
     */
    public record Network(Gid address, int length) implements Who {
        private static final int IPV4_PREFIX = 96;

        /** The network {@code address/bits}; bits as the address has them, 0 to 32 or 128. */
        public static Network of(InetAddress address, int bits) {
            Gid gid = Gid.of(address);
            return new Network(gid, gid.isIpv4Mapped() ? IPV4_PREFIX + bits : bits);
        }

        @Override
        public boolean matches(Initiator initiator) {
            Gid other = Gid.of(initiator.address());
            return same(address.high(), other.high(), length) && same(address.low(), other.low(), length - Long.SIZE);
        }

        private static boolean same(long one, long other, int bits) {
            return bits <= 0 || (one ^ other) >>> Long.SIZE - Math.min(bits, Long.SIZE) == 0;
        }
    }
}

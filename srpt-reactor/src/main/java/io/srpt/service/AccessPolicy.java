package io.srpt.service;

import io.srpt.target.AccessControl;
import io.srpt.target.AccessRules;
import java.util.List;

/** Which initiators may log in. */
public sealed interface AccessPolicy {
    /** Every initiator; what options alone mean, and {@code acls: any}. */
    record Any() implements AccessPolicy {}

    /**
     * The initiators that a rule is about; nobody if there is none.
     *
     * @param rules in order
     */
    record Listed(List<AccessRules.Rule> rules) implements AccessPolicy {
        /** Copies the list. */
        public Listed {
            rules = List.copyOf(rules);
        }

        /** Nobody. */
        public static Listed nobody() {
            return new Listed(List.of());
        }
    }

    /** The same for the target. */
    default AccessControl control() {
        return switch (this) {
            case Any any -> AccessControl.any();
            case Listed listed -> new AccessRules(listed.rules());
        };
    }
}

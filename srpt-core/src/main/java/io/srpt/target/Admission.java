package io.srpt.target;

/**
 * Why a channel was let in.
 *
 * @param group whose rule it was
 * @param grant what the rule gives
 */
record Admission(TargetPortGroup group, AccessControl.Grant grant) {
    /** The group and its rule, for the log. */
    String rule() {
        return group.name().equals(TargetPortGroup.DEFAULT_NAME) ? grant.rule() : group.name() + ": " + grant.rule();
    }
}

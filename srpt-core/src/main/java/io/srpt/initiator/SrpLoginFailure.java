package io.srpt.initiator;

import io.srpt.verbs.RejectReason;

/**
 * Why a login failed.
 *
 * @param cause at which step
 * @param rejectReason the connection manager's reason, OTHER if it sent none
 * @param loginRejectCode reason code of SRP_LOGIN_REJ, 0 if there was none
 * @param message for the operator
 */
public record SrpLoginFailure(Cause cause, RejectReason rejectReason, int loginRejectCode, String message) {
    /** The step that failed. */
    public enum Cause {
        /** No answer to the connection request. */
        UNREACHABLE,
        /** The connection manager of the target refused (REJ without SRP_LOGIN_REJ). */
        CONNECTION_REFUSED,
        /** The target refused with SRP_LOGIN_REJ. */
        LOGIN_REJECTED,
        /** The answer was no SRP_LOGIN_RSP or a useless one. */
        BAD_RESPONSE,
        /** The local device could not serve it, or the session was closed meanwhile. */
        LOCAL
    }

    static SrpLoginFailure unreachable() {
        return new SrpLoginFailure(
                Cause.UNREACHABLE, RejectReason.OTHER, 0, "the target did not answer the connection request");
    }

    static SrpLoginFailure refused(RejectReason reason) {
        String hint = reason == RejectReason.INVALID_PATH_MTU
                ? "; it takes smaller packets only: ask for a smaller path MTU, or give both interfaces the same MTU"
                : "";
        return new SrpLoginFailure(
                Cause.CONNECTION_REFUSED,
                reason,
                0,
                "the target refused the connection: " + reason + " (" + reason.code() + ")" + hint);
    }

    static SrpLoginFailure rejected(RejectReason reason, int code) {
        String text = "the target rejected the login: %s (0x%08x)".formatted(describe(code), code);
        return new SrpLoginFailure(Cause.LOGIN_REJECTED, reason, code, text);
    }

    static SrpLoginFailure badResponse(String message) {
        return new SrpLoginFailure(Cause.BAD_RESPONSE, RejectReason.OTHER, 0, message);
    }

    static SrpLoginFailure local(String message) {
        return new SrpLoginFailure(Cause.LOCAL, RejectReason.OTHER, 0, message);
    }

    private static String describe(int code) {
        return switch (code) {
            case 0x0001_0000 -> "unable to establish the channel";
            case 0x0001_0001 -> "insufficient channel resources";
            case 0x0001_0002 -> "the requested IU length is too large";
            case 0x0001_0003 -> "unable to associate the channel with an I_T nexus";
            case 0x0001_0004 -> "the data buffer descriptor format is not supported";
            case 0x0001_0005 -> "multiple channels per I_T nexus are not supported";
            case 0x0001_0006 -> "the channel limit is reached, or no access control list lets this initiator in";
            default -> "no known reason";
        };
    }
}

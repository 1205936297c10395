package io.srpt.target;

import io.srpt.srp.BufferFormat;
import io.srpt.srp.CommandValidator;
import io.srpt.srp.LoginReject;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import io.srpt.verbs.ConnectionManager.ConnectionRequestHandler;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on logins. The checks come in this order, and the first one that fails gives the reason:
 *
 * <ol>
 *   <li>the requested unit length is below 64 or above the limit: REQUESTED LENGTH TOO LARGE
 *   <li>the port is disabled: INSUFFICIENT CHANNEL RESOURCES
 *   <li>the target port identifier is not the service GUID twice: UNABLE TO ASSOCIATE NEXUS
 *   <li>no RDMA READ is granted, memory or a queue pair can't be had: INSUFFICIENT CHANNEL RESOURCES
 *   <li>no rule lets the initiator in, or the port has all the channels it may have: CHANNEL LIMIT REACHED
 *   <li>the rule shows other units than the nexus sees on channels that are to stay: UNABLE TO ASSOCIATE NEXUS
 * </ol>
 *
 * <p>Threads: the port's loop.
 */
final class LoginHandler implements ConnectionRequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LoginHandler.class);
    private static final AtomicLong CHANNEL_IDS = new AtomicLong();
    private static final byte[] NO_DATA = {};

    private final SrptPort port;
    private final PortId targetPort;

    LoginHandler(SrptPort port) {
        this.port = port;
        long guid = port.config().serviceGuid();
        targetPort = new PortId(guid, guid);
    }

    @Override
    public void onConnectionRequest(ConnectionRequest request) {
        assert port.rdmaPort().loop().inEventLoop();
        LoginRequest login = LoginRequest.decode(request.privateData(), request.isRdmaCm());
        if (login == null) {
            LOG.debug("A connection request from {} without a login", request.remoteAddress());
            request.reject(RejectReason.CONSUMER, NO_DATA);
            return;
        }
        Refusal refusal = check(login);
        if (refusal == null) {
            refusal = open(request, login);
        }
        if (refusal != null) {
            reject(request, login, refusal);
        }
    }

    /**
     * Why a login is refused.
     *
     * @param detail for the log
     */
    private record Refusal(LoginRejectReason reason, String detail) {}

    private @Nullable Refusal check(LoginRequest login) {
        if (!port.config().allowsRequestLength(login.maxUnitLength())) {
            return new Refusal(
                    LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE,
                    "it asks for units of " + login.maxUnitLength() + " bytes, which may have " + LoginRequest.LENGTH
                            + " to " + port.config().maxRequestLength());
        }
        if (!port.isEnabled() || !port.portGroups().isAnyEnabled()) {
            return new Refusal(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES, "the port is disabled");
        }
        if (!login.targetPort().equals(targetPort)) {
            return new Refusal(
                    LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS,
                    "it asks for target port " + login.targetPort() + ", this is " + targetPort);
        }
        return null;
    }

    private @Nullable Refusal open(ConnectionRequest request, LoginRequest login) {
        int reads = Math.min(port.limits().reads(), request.responderResources());
        if (reads == 0) {
            return new Refusal(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES, "it grants no RDMA READ");
        }
        LoginTerms terms = terms(request, login);
        SrptChannel channel;
        try {
            channel = new SrptChannel(port, terms);
        } catch (VerbsException e) {
            LOG.debug("No resources for a channel", e);
            return new Refusal(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES, String.valueOf(e.getMessage()));
        }
        Refusal refusal = admit(channel, terms, login);
        if (refusal != null) {
            channel.discard();
            return refusal;
        }
        try {
            channel.accept(
                    request,
                    reads,
                    response(login, terms, channel, channel.nexus()).encode());
        } catch (VerbsException e) {
            LOG.debug("The connection could not be accepted", e);
            channel.discard();
            return new Refusal(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES, String.valueOf(e.getMessage()));
        }
        port.onLogin(channel);
        return null;
    }

    /** Looks for a rule that lets the initiator in, and makes {@code channel} one of its nexus then. */
    private @Nullable Refusal admit(SrptChannel channel, LoginTerms terms, LoginRequest login) {
        Admission admission = port.portGroups().admit(terms.initiator(), port.counters());
        if (admission == null) {
            return new Refusal(LoginRejectReason.CHANNEL_LIMIT_REACHED, "no rule lets it in");
        }
        if (port.counters().channelsInUse.get() > port.config().maxChannels()) {
            return new Refusal(
                    LoginRejectReason.CHANNEL_LIMIT_REACHED,
                    "the port has all the " + port.config().maxChannels() + " channels that it may have");
        }
        Nexus nexus = port.portChannels()
                .nexus(
                        new Nexus.Key(login.initiatorPort(), login.targetPort()),
                        admission.grant().view());
        if (!nexus.sees(admission.grant().view())) {
            if (login.multichannelAction() != LoginRequest.MULTICHANNEL_SINGLE && nexus.hasOthers(channel)) {
                return new Refusal(
                        LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS,
                        "its other channels see other units than rule " + admission.rule() + " says");
            }
            nexus.see(admission.grant().view());
        }
        channel.join(nexus, admission);
        return null;
    }

    private LoginTerms terms(ConnectionRequest request, LoginRequest login) {
        int offset = login.immediateOffset();
        boolean immediate = login.wantsImmediateData()
                && !port.limits().sharedReceives()
                && offset >= SrpCommand.LENGTH
                && offset < port.config().maxRequestLength();
        return new LoginTerms(
                CHANNEL_IDS.incrementAndGet(),
                new AccessControl.Initiator(login.initiatorPort(), request.remoteAddress(), request.remoteNodeGuid()),
                immediate ? offset : CommandValidator.NO_IMMEDIATE_DATA,
                (int) Math.min(login.maxUnitLength(), port.limits().responseLength()),
                login.flags());
    }

    private LoginResponse response(LoginRequest login, LoginTerms terms, SrptChannel channel, Nexus nexus) {
        int flags = LoginResponse.SOLICITED_NOTIFICATION
                | (terms.immediateOffset() == CommandValidator.NO_IMMEDIATE_DATA ? 0 : LoginResponse.IMMEDIATE_DATA);
        if (login.multichannelAction() == LoginRequest.MULTICHANNEL_SINGLE) {
            flags |= nexus.endOthers(channel) ? LoginResponse.MULTICHANNEL_TERMINATED : 0;
        } else {
            flags |= nexus.hasOthers(channel) ? LoginResponse.MULTICHANNEL_MAINTAINED : 0;
        }
        return new LoginResponse(
                login.tag(),
                port.limits().requestLimit(),
                port.config().maxRequestLength(),
                login.maxUnitLength(),
                BufferFormat.LOGIN_FORMATS,
                flags);
    }

    private void reject(ConnectionRequest request, LoginRequest login, Refusal refusal) {
        port.counters().loginsRejected(refusal.reason()).increment();
        request.reject(
                RejectReason.CONSUMER, LoginReject.to(login, refusal.reason()).encode());
        port.events()
                .onLoginRejected(
                        port.name(),
                        login.initiatorPort(),
                        request.remoteAddress(),
                        refusal.reason(),
                        refusal.detail());
    }
}

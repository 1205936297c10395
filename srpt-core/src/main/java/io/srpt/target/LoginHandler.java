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
 *   <li>the initiator may not log in, or the port has all the channels it may have: CHANNEL LIMIT REACHED
 * </ol>
 *
 * <p>Threads: the port's loop.
 */
final class LoginHandler implements ConnectionRequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LoginHandler.class);
    private static final AtomicLong CHANNEL_IDS = new AtomicLong();
    private static final byte[] NO_DATA = {};

    private final SrptPort port;
    private final AccessControl accessControl;
    private final PortId targetPort;

    LoginHandler(SrptPort port, AccessControl accessControl) {
        this.port = port;
        this.accessControl = accessControl;
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
        LoginRejectReason reason = check(login);
        if (reason == null) {
            reason = open(request, login);
        }
        if (reason != null) {
            reject(request, login, reason);
        }
    }

    private @Nullable LoginRejectReason check(LoginRequest login) {
        if (!port.config().allowsRequestLength(login.maxUnitLength())) {
            return LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE;
        }
        if (!port.isEnabled()) {
            return LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES;
        }
        if (!login.targetPort().equals(targetPort)) {
            return LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS;
        }
        return null;
    }

    private @Nullable LoginRejectReason open(ConnectionRequest request, LoginRequest login) {
        int reads = Math.min(port.limits().reads(), request.responderResources());
        if (reads == 0) {
            return LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES;
        }
        LoginTerms terms = terms(request, login);
        SrptChannel channel;
        try {
            channel = new SrptChannel(port, terms);
        } catch (VerbsException e) {
            LOG.debug("No resources for a channel", e);
            return LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES;
        }
        if (!mayLogIn(terms.initiator())
                || port.counters().channelsInUse.get() > port.config().maxChannels()) {
            channel.discard();
            return LoginRejectReason.CHANNEL_LIMIT_REACHED;
        }
        Nexus nexus = port.nexus(new Nexus.Key(login.initiatorPort(), login.targetPort()));
        channel.join(nexus);
        try {
            channel.accept(
                    request, reads, response(login, terms, channel, nexus).encode());
        } catch (VerbsException e) {
            LOG.debug("The connection could not be accepted", e);
            channel.discard();
            return LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES;
        }
        port.onLogin(channel);
        return null;
    }

    private boolean mayLogIn(AccessControl.Initiator initiator) {
        try {
            return accessControl.mayLogIn(initiator);
        } catch (RuntimeException e) {
            port.counters().handlerErrors.increment();
            LOG.warn("The access control failed on {}", initiator, e);
            return false;
        }
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

    private void reject(ConnectionRequest request, LoginRequest login, LoginRejectReason reason) {
        port.counters().loginsRejected(reason).increment();
        request.reject(RejectReason.CONSUMER, LoginReject.to(login, reason).encode());
        port.events().onLoginRejected(port.name(), login.initiatorPort(), request.remoteAddress(), reason);
    }
}

package io.srpt.reactor.event;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import java.net.InetAddress;

/**
 * A login was refused.
 *
 * @param port where
 * @param initiatorPort who wanted to log in
 * @param address from which address
 * @param reason what SRP_LOGIN_REJ said
 */
public record LoginRejected(String port, PortId initiatorPort, InetAddress address, LoginRejectReason reason)
        implements LoginEvent {}

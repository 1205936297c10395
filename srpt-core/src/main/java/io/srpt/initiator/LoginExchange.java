package io.srpt.initiator;

import io.srpt.srp.BufferFormat;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.LoginReject;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import io.srpt.verbs.ConnectionManager;

/** The login messages of one session: what it asks for, and in which form. Off the hot path. */
final class LoginExchange {
    /** Where immediate data starts in an information unit, as the Linux initiator asks. */
    static final int IMMEDIATE_OFFSET = 68;

    /** Targets echo the length as that of their own units: room for an answer with all its sense. */
    private static final int MIN_UNIT_LENGTH = 320;

    private static final int IMMEDIATE_UNIT_LENGTH = IMMEDIATE_OFFSET + 8192;

    private LoginExchange() {}

    /** The largest information unit that a session with {@code configuration} sends. */
    static int requestedUnitLength(SrpSessionConfiguration configuration) {
        int descriptors = Math.max(1, configuration.maxDescriptors()) * DescriptorTable.DESCRIPTOR_LENGTH;
        int described = SrpCommand.LENGTH + SrpCommand.CDB_LENGTH + SrpCommand.INDIRECT_LENGTH + descriptors;
        int plain = Math.max(MIN_UNIT_LENGTH, described);
        return configuration.immediateData() ? Math.max(plain, IMMEDIATE_UNIT_LENGTH) : plain;
    }

    /** The REQ's private data: the short form behind RDMA/CM's header, else the long one. */
    static byte[] request(SrpSessionConfiguration configuration) {
        int flags = configuration.immediateData() ? LoginRequest.IMMEDIATE_DATA : 0;
        flags |= configuration.multiChannel() ? LoginRequest.MULTICHANNEL_MULTI : LoginRequest.MULTICHANNEL_SINGLE;
        LoginRequest request = new LoginRequest(
                0,
                requestedUnitLength(configuration),
                BufferFormat.LOGIN_FORMATS,
                flags,
                configuration.immediateData() ? IMMEDIATE_OFFSET : 0,
                new PortId(configuration.initiatorExtension(), configuration.initiatorGuid()),
                new PortId(configuration.idExtension(), configuration.iocGuid()));
        return request.encode(ConnectionManager.isRdmaCmServiceId(configuration.serviceId()));
    }

    /** The reason code of SRP_LOGIN_REJ, or 0 if {@code privateData} is none. */
    static int rejectCode(byte[] privateData) {
        LoginReject reject = LoginReject.decode(privateData);
        return reject == null ? 0 : reject.reasonCode();
    }
}

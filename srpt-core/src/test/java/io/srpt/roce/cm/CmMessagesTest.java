package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.CapturedMads;
import io.srpt.mad.MadHeader;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CmMessagesTest {
    private static final HexFormat HEX = HexFormat.of();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "srp-login-io.pcap",
                "srp-login-io-v6.pcap",
                "srp-login-reject-v4.pcap",
                "srp-login-reject-v6.pcap"
            })
    void messagesOfLinuxAreWrittenAgainByteForByte(String capture) {
        int seen = 0;
        for (byte[] mad : CapturedMads.read(capture)) {
            if (mad[MadHeader.MANAGEMENT_CLASS_OFFSET] == MadHeader.CLASS_COMMUNICATION_MANAGEMENT) {
                assertThat(rewrite(mad)).isEqualTo(mad);
                seen++;
            }
        }
        assertThat(seen).isGreaterThanOrEqualTo(2);
    }

    @Test
    void reqOfLinuxIsReadFieldByField() {
        List<byte[]> reqs = CapturedMads.read("srp-login-io.pcap", 7, CmMessageType.REQ.attributeId());
        ReqMessage req = new ReqMessage().wrap(ByteBuffer.wrap(reqs.getFirst()), MadHeader.LENGTH);
        assertThat(ConnectionManager.isRdmaCmServiceId(req.serviceId())).isTrue();
        assertThat(req.localCaGuid()).isEqualTo(0x5054_00FF_FE5A_0115L);
        assertThat(req.localQueuePair()).isEqualTo(0x11);
        assertThat(req.responderResources()).isEqualTo(4);
        assertThat(req.initiatorDepth()).isZero();
        assertThat(req.remoteResponseTimeout()).isEqualTo(20);
        assertThat(req.transportType()).isZero();
        assertThat(req.endToEndFlowControl()).isTrue();
        assertThat(req.startingPsn()).isEqualTo(0x6F6081);
        assertThat(req.localResponseTimeout()).isEqualTo(20);
        assertThat(req.retryCount()).isEqualTo(7);
        assertThat(req.pkey()).isEqualTo(0xFFFF);
        assertThat(req.pathMtuCode()).isEqualTo(3);
        assertThat(req.rnrRetryCount()).isEqualTo(7);
        assertThat(req.maxCmRetries()).isEqualTo(15);
        assertThat(req.sharedReceiveQueue()).isFalse();
        assertThat(req.primaryLocalGid()).isEqualTo(Gid.parse("192.0.2.21"));
        assertThat(req.primaryRemoteGid()).isEqualTo(Gid.parse("192.0.2.20"));
        assertThat(req.flowLabel()).isEqualTo(0xFE1DE);
        assertThat(req.hopLimit()).isEqualTo(64);
        assertThat(req.ackTimeout()).isEqualTo(19);
        byte[] data = req.getBytes(ReqMessage.PRIVATE_DATA_OFFSET, ReqMessage.PRIVATE_DATA_LENGTH);
        assertThat(RdmaCmPrivateData.check(data)).isEqualTo(RdmaCmPrivateData.Validity.OK);
        assertThat(RdmaCmPrivateData.read(data))
                .isEqualTo(new RdmaCmPrivateData(33397, Gid.parse("192.0.2.21"), Gid.parse("192.0.2.20")));
    }

    @Test
    void repOfLinuxIsReadFieldByField() {
        List<byte[]> reps = CapturedMads.read("srp-login-io.pcap", 7, CmMessageType.REP.attributeId());
        RepMessage rep = new RepMessage().wrap(ByteBuffer.wrap(reps.getFirst()), MadHeader.LENGTH);
        assertThat(rep.localQueuePair()).isEqualTo(0x11);
        assertThat(rep.startingPsn()).isEqualTo(0x9E705E);
        assertThat(rep.responderResources()).isEqualTo(4);
        assertThat(rep.initiatorDepth()).isEqualTo(4);
        assertThat(rep.targetAckDelay()).isEqualTo(15);
        assertThat(rep.endToEndFlowControl()).isTrue();
        assertThat(rep.rnrRetryCount()).isEqualTo(7);
        assertThat(rep.sharedReceiveQueue()).isFalse();
        assertThat(rep.localCaGuid()).isEqualTo(0x5054_00FF_FE5A_0114L);
        assertThat(rep.getBytes(RepMessage.PRIVATE_DATA_OFFSET, 8)).isEqualTo(HEX.parseHex("c000000000000080"));
    }

    @Test
    void rejectOfLinuxIsWhatOursIs() {
        byte[] mad = CapturedMads.read("srp-login-reject-v4.pcap", 7, CmMessageType.REJ.attributeId())
                .getFirst();
        RejMessage rej = new RejMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH);
        assertThat(rej.localCommunicationId()).isZero();
        assertThat(rej.message()).isEqualTo(CmMessage.MESSAGE_REQ);
        assertThat(rej.infoLength()).isZero();
        assertThat(rej.reason()).isEqualTo(28);
        assertThat(rej.getBytes(RejMessage.PRIVATE_DATA_OFFSET, 8)).isEqualTo(HEX.parseHex("c200000000010006"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"srp-login-io.pcap", "srp-login-io-v6.pcap"})
    void rdmaCmHeaderIsWrittenAgainByteForByte(String capture) {
        for (byte[] mad : CapturedMads.read(capture, 7, CmMessageType.REQ.attributeId())) {
            int at = MadHeader.LENGTH + ReqMessage.PRIVATE_DATA_OFFSET;
            byte[] header = Arrays.copyOfRange(mad, at, at + RdmaCmPrivateData.LENGTH);
            ByteBuffer written = ByteBuffer.allocate(RdmaCmPrivateData.LENGTH);
            RdmaCmPrivateData.read(header).write(written, 0);
            assertThat(written.array()).isEqualTo(header);
        }
    }

    @Test
    void randomFieldsSurviveAndKeepTheirNeighbours() {
        long seed = 7;
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] mad = new byte[MadHeader.MAD_LENGTH];
            random.nextBytes(mad);
            ReqMessage req = new ReqMessage().wrap(ByteBuffer.wrap(mad.clone()), MadHeader.LENGTH);
            int psn = random.nextInt() >>> 8;
            int timeout = random.nextInt(32);
            byte[] before = req.getBytes(0, CmMessage.LENGTH);
            req.startingPsn(psn).localResponseTimeout(timeout).maxCmRetries(5).pathMtuCode(2);
            assertThat(req.startingPsn()).as("seed %d", seed).isEqualTo(psn);
            assertThat(req.localResponseTimeout()).isEqualTo(timeout);
            assertThat(req.retryCount()).isEqualTo(before[47] & 7);
            assertThat(req.maxCmRetries()).isEqualTo(5);
            assertThat(req.pathMtuCode()).isEqualTo(2);
            assertThat(req.rnrRetryCount()).isEqualTo(before[50] & 7);
            assertThat(RdmaCmPrivateData.check(Arrays.copyOf(mad, random.nextInt(100))))
                    .isNotNull();
        }
    }

    @Test
    void pathMtuCodes() {
        assertThat(PathMtu.isValid(0)).isFalse();
        assertThat(PathMtu.isValid(6)).isFalse();
        for (int code = 1; code <= 5; code++) {
            assertThat(PathMtu.bytes(code)).isEqualTo(128 << code);
            assertThat(PathMtu.code(128 << code)).isEqualTo(code);
        }
        assertThat(PathMtu.code(1500)).isEqualTo(3);
        assertThat(PathMtu.code(9000)).isEqualTo(5);
        assertThat(PathMtu.code(0)).isEqualTo(1);
    }

    /** Reads every field of a message and writes it to a fresh one. */
    private static byte[] rewrite(byte[] mad) {
        MadHeader from = new MadHeader().wrap(ByteBuffer.wrap(mad), 0);
        ByteBuffer to = ByteBuffer.allocate(MadHeader.MAD_LENGTH);
        new MadHeader()
                .wrap(to, 0)
                .put(
                        from.managementClass(),
                        from.classVersion(),
                        from.method(),
                        from.transactionId(),
                        from.attributeId(),
                        from.attributeModifier());
        CmMessageType type = CmMessageType.of(from.attributeId());
        assertThat(type).isNotNull();
        ByteBuffer source = ByteBuffer.wrap(mad);
        switch (type) {
            case REQ -> rewriteReq(source, to);
            case MRA -> throw new AssertionError("not captured");
            case REJ -> rewriteRej(source, to);
            case REP -> rewriteRep(source, to);
            case RTU, DREP -> {
                RtuMessage message = new RtuMessage().wrap(source, MadHeader.LENGTH);
                new RtuMessage()
                        .wrap(to, MadHeader.LENGTH)
                        .localCommunicationId(message.localCommunicationId())
                        .remoteCommunicationId(message.remoteCommunicationId());
            }
            case DREQ -> {
                DreqMessage message = new DreqMessage().wrap(source, MadHeader.LENGTH);
                new DreqMessage()
                        .wrap(to, MadHeader.LENGTH)
                        .localCommunicationId(message.localCommunicationId())
                        .remoteCommunicationId(message.remoteCommunicationId())
                        .remoteQueuePair(message.remoteQueuePair());
            }
        }
        return to.array();
    }

    private static void rewriteReq(ByteBuffer source, ByteBuffer to) {
        ReqMessage req = new ReqMessage().wrap(source, MadHeader.LENGTH);
        new ReqMessage()
                .wrap(to, MadHeader.LENGTH)
                .localCommunicationId(req.localCommunicationId())
                .serviceId(req.serviceId())
                .localCaGuid(req.localCaGuid())
                .localQueuePair(req.localQueuePair())
                .responderResources(req.responderResources())
                .initiatorDepth(req.initiatorDepth())
                .remoteResponseTimeout(req.remoteResponseTimeout())
                .transportType(req.transportType())
                .endToEndFlowControl(req.endToEndFlowControl())
                .startingPsn(req.startingPsn())
                .localResponseTimeout(req.localResponseTimeout())
                .retryCount(req.retryCount())
                .pkey(req.pkey())
                .pathMtuCode(req.pathMtuCode())
                .rnrRetryCount(req.rnrRetryCount())
                .maxCmRetries(req.maxCmRetries())
                .sharedReceiveQueue(req.sharedReceiveQueue())
                .primaryLocalLid(req.primaryLocalLid())
                .primaryRemoteLid(req.primaryRemoteLid())
                .primaryLocalGid(req.primaryLocalGid())
                .primaryRemoteGid(req.primaryRemoteGid())
                .flowLabel(req.flowLabel())
                .trafficClass(req.trafficClass())
                .hopLimit(req.hopLimit())
                .ackTimeout(req.ackTimeout())
                .putBytes(
                        ReqMessage.PRIVATE_DATA_OFFSET,
                        req.getBytes(ReqMessage.PRIVATE_DATA_OFFSET, ReqMessage.PRIVATE_DATA_LENGTH));
    }

    private static void rewriteRep(ByteBuffer source, ByteBuffer to) {
        RepMessage rep = new RepMessage().wrap(source, MadHeader.LENGTH);
        new RepMessage()
                .wrap(to, MadHeader.LENGTH)
                .localCommunicationId(rep.localCommunicationId())
                .remoteCommunicationId(rep.remoteCommunicationId())
                .localQueuePair(rep.localQueuePair())
                .startingPsn(rep.startingPsn())
                .responderResources(rep.responderResources())
                .initiatorDepth(rep.initiatorDepth())
                .targetAckDelay(rep.targetAckDelay())
                .endToEndFlowControl(rep.endToEndFlowControl())
                .rnrRetryCount(rep.rnrRetryCount())
                .sharedReceiveQueue(rep.sharedReceiveQueue())
                .localCaGuid(rep.localCaGuid())
                .putBytes(
                        RepMessage.PRIVATE_DATA_OFFSET,
                        rep.getBytes(RepMessage.PRIVATE_DATA_OFFSET, RepMessage.PRIVATE_DATA_LENGTH));
    }

    private static void rewriteRej(ByteBuffer source, ByteBuffer to) {
        RejMessage rej = new RejMessage().wrap(source, MadHeader.LENGTH);
        new RejMessage()
                .wrap(to, MadHeader.LENGTH)
                .localCommunicationId(rej.localCommunicationId())
                .remoteCommunicationId(rej.remoteCommunicationId())
                .message(rej.message())
                .infoLength(rej.infoLength())
                .reason(rej.reason())
                .putBytes(RejMessage.INFO_OFFSET, rej.getBytes(RejMessage.INFO_OFFSET, RejMessage.INFO_LENGTH_MAX))
                .putBytes(
                        RejMessage.PRIVATE_DATA_OFFSET,
                        rej.getBytes(RejMessage.PRIVATE_DATA_OFFSET, RejMessage.PRIVATE_DATA_LENGTH));
    }
}

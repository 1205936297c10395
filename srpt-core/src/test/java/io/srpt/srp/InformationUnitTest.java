package io.srpt.srp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InformationUnitTest {
    private static final int OFFSET = 7;

    private final ByteBuffer buffer = ByteBuffer.allocate(1024);

    private String bytes(int length) {
        return HexFormat.of().formatHex(Arrays.copyOfRange(buffer.array(), OFFSET, OFFSET + length));
    }

    @Test
    void encodesTheShortUnits() {
        Arrays.fill(buffer.array(), (byte) 0xEE);
        new InitiatorLogout().wrap(buffer, OFFSET).initialise().tag(0x0102030405060708L);
        assertThat(bytes(17)).isEqualTo("0300000000000000" + "0102030405060708" + "ee");
        new CreditResponse().wrap(buffer, OFFSET).initialise().tag(9);
        assertThat(bytes(17)).isEqualTo("4100000000000000" + "0000000000000009" + "ee");
        new AsyncEventResponse().wrap(buffer, OFFSET).initialise().tag(9);
        assertThat(bytes(17)).isEqualTo("4200000000000000" + "0000000000000009" + "ee");
        new CreditRequest().wrap(buffer, OFFSET).initialise().tag(9).requestLimitDelta(-2);
        assertThat(bytes(17)).isEqualTo("81000000fffffffe" + "0000000000000009" + "ee");
        TargetLogout logout = new TargetLogout()
                .wrap(buffer, OFFSET)
                .initialise()
                .tag(9)
                .reason(TargetLogout.INVALID_UNIT_LENGTH);
        assertThat(bytes(17)).isEqualTo("8000000000000008" + "0000000000000009" + "ee");
        assertThat(logout.reason()).isEqualTo(8);
        assertThat(logout.type()).isEqualTo(InformationUnitType.T_LOGOUT);
    }

    @Test
    void encodesAnAsynchronousEvent() {
        ByteBuffer sense = ByteBuffer.wrap(new byte[] {0x70, 0, 6});
        AsyncEventRequest event = new AsyncEventRequest()
                .wrap(buffer, OFFSET)
                .initialise()
                .tag(5)
                .requestLimitDelta(1)
                .lun(0x0001000000000000L);
        assertThat(event.sense(sense, 0, 3)).isEqualTo(39);
        assertThat(bytes(39))
                .isEqualTo("8200000000000001" + "0000000000000005" + "00000000" + "0001000000000000" + "00000003"
                        + "00000000" + "700006");
        assertThat(event.isValid(39)).isTrue();
        assertThat(event.isValid(38)).isFalse();
    }

    @Test
    void encodesACommandWithImmediateDataOverOldBytes() {
        Arrays.fill(buffer.array(), (byte) 0xEE);
        SrpCommand command = new SrpCommand()
                .wrap(buffer, OFFSET)
                .initialise()
                .tag(0x3800000000000000L)
                .dataOutFormat(BufferFormat.IMMEDIATE)
                .cdb(HexFormat.of().parseHex("2a000000000000000800"));
        assertThat(command.immediateDescriptor(512, 68)).isEqualTo(580);
        assertThat(bytes(69))
                .isEqualTo("0200000000300000" + "3800000000000000" + "00".repeat(16) + "2a000000000000000800000000000000"
                        + "00000200" + "00".repeat(16) + "ee");
    }

    @Test
    void decodesRandomCommandsAsTheyWereEncoded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        SrpCommand command = new SrpCommand();
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(buffer.array());
            byte[] cdb = new byte[6 + random.nextInt(60)];
            random.nextBytes(cdb);
            cdb[0] = 0x2A;
            long tag = random.nextLong();
            long lun = random.nextLong();
            int attribute = random.nextInt(5);
            int count = 1 + random.nextInt(20);
            command.wrap(buffer, OFFSET)
                    .initialise()
                    .tag(tag)
                    .lun(lun)
                    .taskAttribute(attribute)
                    .cdb(cdb)
                    .dataOutFormat(BufferFormat.INDIRECT)
                    .dataOutCount(count)
                    .indirectDescriptor(tag ^ lun, count, count * 16, count * 512);
            DescriptorTable table = command.tableInUnit(count);
            for (int d = 0; d < count; d++) {
                table.descriptor(d, tag + d, d, 512);
            }
            SrpCommand decoded = new SrpCommand().wrap(buffer, OFFSET);
            assertThat(CommandValidator.validate(decoded, command.indirectUnitLength(count), 68, 8276))
                    .as("seed %d", seed)
                    .isEqualTo(CommandCheck.OK);
            byte[] decodedCdb = new byte[cdb.length];
            buffer.get(decoded.cdbOffset(), decodedCdb);
            assertThat(decodedCdb).as("seed %d", seed).isEqualTo(cdb);
            assertThat(decoded.cdbLength()).isGreaterThanOrEqualTo(cdb.length).isLessThan(Math.max(cdb.length, 16) + 4);
            assertThat(decoded.tag()).isEqualTo(tag);
            assertThat(decoded.lun()).isEqualTo(lun);
            assertThat(decoded.taskAttribute()).isEqualTo(attribute);
            assertThat(decoded.tableAddress()).isEqualTo(tag ^ lun);
            assertThat(decoded.tableKey()).isEqualTo(count);
            assertThat(decoded.descriptors().count()).isEqualTo(count);
            assertThat(decoded.descriptors().address(count - 1)).isEqualTo(tag + count - 1);
            assertThat(decoded.dataLength()).isEqualTo(count * 512L);
        }
    }

    @Test
    void doesNotTrustTheLengthsOfARandomResponse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = new byte[200];
        for (int i = 0; i < 50_000; i++) {
            random.nextBytes(bytes);
            int received = random.nextInt(bytes.length + 1);
            ByteBuffer exact = ByteBuffer.allocate(received);
            exact.put(0, bytes, 0, received);
            if (random.nextBoolean() && received >= SrpResponse.LENGTH) {
                exact.putInt(SrpResponse.SENSE_LENGTH_OFFSET, random.nextInt(128));
                exact.putInt(SrpResponse.RESPONSE_DATA_LENGTH_OFFSET, random.nextInt(8));
            }
            SrpResponse response = new SrpResponse().wrap(exact, 0);
            if (response.isValid(received)) {
                assertThat(response.senseOffset() + response.senseLength())
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(received);
                assertThat(response.responseCode()).as("seed %d", seed).isBetween(0, 255);
            }
        }
    }

    @Test
    void namesTypesAndTheirLengths() {
        assertThat(InformationUnitType.of(buffer, 0, 0)).isEqualTo(-1);
        assertThat(InformationUnitType.minimumLength(InformationUnitType.CMD)).isEqualTo(48);
        assertThat(InformationUnitType.minimumLength(InformationUnitType.TSK_MGMT)).isEqualTo(48);
        assertThat(InformationUnitType.minimumLength(InformationUnitType.RSP)).isEqualTo(36);
        assertThat(InformationUnitType.minimumLength(InformationUnitType.I_LOGOUT)).isEqualTo(16);
        assertThat(InformationUnitType.name(InformationUnitType.CRED_REQ)).isEqualTo("SRP_CRED_REQ");
        assertThat(InformationUnitType.name(0x77)).isEqualTo("type 0x77");
    }
}

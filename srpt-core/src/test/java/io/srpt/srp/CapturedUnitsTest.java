package io.srpt.srp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decodes what Linux sent, encodes it again, and compares byte for byte. */
class CapturedUnitsTest {
    private static final int IMMEDIATE_OFFSET = 68;
    private static final int MAX_LENGTH = 8276;

    @Test
    void encodesEveryCapturedCommandAgain() throws IOException {
        List<byte[]> commands = CapturedUnits.read(InformationUnitType.CMD);
        assertThat(commands).hasSize(90);
        for (byte[] unit : commands) {
            ByteBuffer captured = ByteBuffer.wrap(unit);
            SrpCommand command = new SrpCommand().wrap(captured, 0);
            assertThat(CommandValidator.validate(command, unit.length, IMMEDIATE_OFFSET, MAX_LENGTH))
                    .isEqualTo(CommandCheck.OK);
            ByteBuffer encoded = ByteBuffer.allocate(unit.length);
            int length = copy(command, new SrpCommand().wrap(encoded, 0).initialise());
            assertThat(length).isEqualTo(unit.length);
            int compared = command.dataFormat() == BufferFormat.IMMEDIATE ? 52 : length;
            assertThat(Arrays.copyOf(encoded.array(), compared)).isEqualTo(Arrays.copyOf(captured.array(), compared));
        }
    }

    private static int copy(SrpCommand from, SrpCommand to) {
        byte[] cdb = new byte[from.cdbLength()];
        from.buffer().get(from.cdbOffset(), cdb);
        to.solicitedNotification(from.solicitedNotification())
                .dataOutFormat(from.dataOutFormat())
                .dataInFormat(from.dataInFormat())
                .dataOutCount(from.dataOutCount())
                .dataInCount(from.dataInCount())
                .tag(from.tag())
                .lun(from.lun())
                .taskAttribute(from.taskAttribute())
                .cdb(cdb);
        DescriptorTable table = from.descriptors();
        switch (from.dataFormat()) {
            case BufferFormat.DIRECT -> {
                return to.directDescriptor(table.address(0), table.key(0), (int) table.length(0));
            }
            case BufferFormat.INDIRECT -> {
                to.indirectDescriptor(
                        from.tableAddress(), from.tableKey(), (int) from.tableCount() * 16, (int) from.dataLength());
                DescriptorTable written = to.tableInUnit(table.count());
                for (int i = 0; i < table.count(); i++) {
                    written.descriptor(i, table.address(i), table.key(i), (int) table.length(i));
                }
                return to.indirectUnitLength(table.count());
            }
            case BufferFormat.IMMEDIATE -> {
                return to.immediateDescriptor((int) from.dataLength(), IMMEDIATE_OFFSET);
            }
            default -> {
                return to.descriptorOffset();
            }
        }
    }

    @Test
    void readsTheDescriptorsOfTheCapturedTwelveDescriptorWrite() throws IOException {
        byte[] unit = CapturedUnits.read(InformationUnitType.CMD).stream()
                .filter(each -> each.length == 260 && each[5] == 0x20)
                .findFirst()
                .orElseThrow();
        SrpCommand command = new SrpCommand().wrap(ByteBuffer.wrap(unit), 0);
        assertThat(command.tag()).isEqualTo(0x0f00_0100_0000_0000L);
        assertThat(command.tableCount()).isEqualTo(12);
        assertThat(command.dataLength()).isEqualTo(49152);
        assertThat(command.descriptors().count()).isEqualTo(12);
        assertThat(command.descriptors().address(11)).isEqualTo(0xffff_8880_031d_6000L);
        assertThat(command.descriptors().key(11)).isEqualTo(0xfb97);
        assertThat(command.descriptors().totalLength()).isEqualTo(49152);
    }

    @Test
    void encodesEveryCapturedResponseAgain() throws IOException {
        List<byte[]> responses = CapturedUnits.read(InformationUnitType.RSP);
        assertThat(responses).hasSize(91);
        for (byte[] unit : responses) {
            SrpResponse from = new SrpResponse().wrap(ByteBuffer.wrap(unit), 0);
            assertThat(from.isValid(unit.length)).isTrue();
            assertThat(from.isValid(unit.length - 1)).isFalse();
            ByteBuffer encoded = ByteBuffer.allocate(unit.length);
            SrpResponse to = new SrpResponse().wrap(encoded, 0).initialise();
            to.tag(from.tag())
                    .requestLimitDelta(from.requestLimitDelta())
                    .flags(from.flags() & ~(SrpResponse.SENSE_VALID | SrpResponse.RESPONSE_VALID))
                    .status(from.status())
                    .dataOutResidual((int) from.dataOutResidual())
                    .dataInResidual((int) from.dataInResidual());
            int length = SrpResponse.LENGTH;
            if ((from.flags() & SrpResponse.RESPONSE_VALID) != 0) {
                length = to.responseCode(from.responseCode());
            }
            if ((from.flags() & SrpResponse.SENSE_VALID) != 0) {
                length = to.sense(from.buffer(), from.senseOffset(), (int) from.senseLength());
            }
            assertThat(length).isEqualTo(unit.length);
            assertThat(encoded.array()).isEqualTo(unit);
        }
    }

    @Test
    void encodesTheCapturedLogicalUnitResetAgain() throws IOException {
        byte[] captured = CapturedUnits.read(InformationUnitType.TSK_MGMT).getFirst();
        ByteBuffer encoded = ByteBuffer.allocate(TaskManagementRequest.LENGTH);
        new TaskManagementRequest()
                .wrap(encoded, 0)
                .initialise()
                .tag(0x0100_0080_0000_0000L)
                .function(TaskManagementRequest.LUN_RESET)
                .taskTag(0xffff_ffff_0000_0000L);
        assertThat(encoded.array()).isEqualTo(captured);
        TaskManagementRequest decoded = new TaskManagementRequest().wrap(ByteBuffer.wrap(captured), 0);
        assertThat(decoded.function()).isEqualTo(TaskManagementRequest.LUN_RESET);
        assertThat(decoded.tag()).isEqualTo(0x0100_0080_0000_0000L);
        assertThat(decoded.taskTag()).isEqualTo(0xffff_ffff_0000_0000L);
    }
}

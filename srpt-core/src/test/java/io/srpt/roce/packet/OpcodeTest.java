package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpcodeTest {

    @ParameterizedTest
    @CsvSource({
        "0x00, 12, RC_SEND_FIRST",
        "0x04, 12, RC_SEND_ONLY",
        "0x05, 16, RC_SEND_ONLY_WITH_IMMEDIATE",
        "0x06, 28, RC_WRITE_FIRST",
        "0x07, 12, RC_WRITE_MIDDLE",
        "0x0A, 28, RC_WRITE_ONLY",
        "0x0B, 32, RC_WRITE_ONLY_WITH_IMMEDIATE",
        "0x0C, 28, RC_READ_REQUEST",
        "0x0D, 16, RC_READ_RESPONSE_FIRST",
        "0x0E, 12, RC_READ_RESPONSE_MIDDLE",
        "0x0F, 16, RC_READ_RESPONSE_LAST",
        "0x10, 16, RC_READ_RESPONSE_ONLY",
        "0x11, 16, RC_ACKNOWLEDGE",
        "0x12, 24, RC_ATOMIC_ACKNOWLEDGE",
        "0x13, 40, RC_COMPARE_SWAP",
        "0x17, 16, RC_SEND_ONLY_WITH_INVALIDATE",
        "0x1C, 32, RC_FLUSH",
        "0x24, 12, UC_SEND_ONLY",
        "0x2B, 32, UC_WRITE_ONLY_WITH_IMMEDIATE",
        "0x64, 20, UD_SEND_ONLY",
        "0x65, 24, UD_SEND_ONLY_WITH_IMMEDIATE",
        "0x81, 12, CNP",
        "0x15, 12, opcode 0x15",
        "0x2C, 12, opcode 0x2c",
        "0xff, 12, opcode 0xff"
    })
    void namesAndHeaderLengths(String code, int headerLength, String name) {
        int opcode = Integer.decode(code);
        assertThat(Opcode.headerLength(opcode)).isEqualTo(headerLength);
        assertThat(Opcode.name(opcode)).isEqualTo(name);
        assertThat(Opcode.isKnown(opcode)).isEqualTo(!name.startsWith("opcode"));
    }

    @Test
    void everyKnownOpcodeHasExactlyOnePlaceInItsMessage() {
        for (int opcode = 0; opcode < 256; opcode++) {
            int places = (Opcode.isFirst(opcode) ? 1 : 0)
                    + (Opcode.isMiddle(opcode) ? 1 : 0)
                    + (Opcode.isLast(opcode) ? 1 : 0)
                    + (Opcode.isOnly(opcode) ? 1 : 0);
            assertThat(places).as(Opcode.name(opcode)).isEqualTo(Opcode.isKnown(opcode) ? 1 : 0);
        }
    }

    @Test
    void anyIntIsALegalArgument() {
        for (int opcode : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 256 + Opcode.RC_SEND_ONLY}) {
            assertThat(Opcode.headerLength(opcode)).isEqualTo(Bth.LENGTH);
            assertThat(Opcode.name(opcode)).isNotEmpty();
        }
    }

    @Test
    void requestsAndResponsesAreToldApart() {
        assertThat(Opcode.isRequest(Opcode.RC_READ_REQUEST)).isTrue();
        assertThat(Opcode.isResponse(Opcode.RC_READ_RESPONSE_MIDDLE)).isTrue();
        assertThat(Opcode.isRequest(Opcode.RC_ACKNOWLEDGE)).isFalse();
        assertThat(Opcode.isRequest(Opcode.CNP)).isFalse();
        assertThat(Opcode.isRequest(0x15)).isFalse();
        assertThat(Opcode.isReadResponse(Opcode.RC_ATOMIC_ACKNOWLEDGE)).isFalse();
    }

    @Test
    void immediateDataAndInvalidateKeyFollowTheOtherHeaders() {
        assertThat(Opcode.immediateOffset(Opcode.RC_SEND_LAST_WITH_INVALIDATE)).isEqualTo(12);
        assertThat(Opcode.immediateOffset(Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE)).isEqualTo(28);
        assertThat(Opcode.immediateOffset(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE)).isEqualTo(20);
        assertThat(Opcode.immediateOffset(Opcode.RC_WRITE_ONLY)).isZero();
    }
}

package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AethSyndromeTest {

    @Test
    void kindsExcludeEachOther() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int kinds = (AethSyndrome.isAck(syndrome) ? 1 : 0)
                    + (AethSyndrome.isRnrNak(syndrome) ? 1 : 0)
                    + (AethSyndrome.isNak(syndrome) ? 1 : 0);
            boolean reserved = syndrome >= 0x80 || (syndrome & 0x60) == 0x40;
            assertThat(kinds).as("0x%02x", syndrome).isEqualTo(reserved ? 0 : 1);
            assertThat(AethSyndrome.name(syndrome)).isNotEmpty();
        }
    }

    @Test
    void rnrTimerCodesMeanTheDelaysOfTheSpecification() {
        assertThat(AethSyndrome.rnrDelayNanos(0)).isEqualTo(655_360_000L);
        assertThat(AethSyndrome.rnrDelayNanos(1)).isEqualTo(10_000L);
        assertThat(AethSyndrome.rnrDelayNanos(14)).isEqualTo(1_280_000L);
        assertThat(AethSyndrome.rnrDelayNanos(25)).isEqualTo(61_440_000L);
        assertThat(AethSyndrome.rnrDelayNanos(31)).isEqualTo(491_520_000L);
    }

    @Test
    void rnrDelaysAreTheTableOfTheSpecification() {
        String hundredths = "65536 1 2 3 4 6 8 12 16 24 32 48 64 96 128 192 256 384 512 768 1024 1536 2048 3072 4096"
                + " 6144 8192 12288 16384 24576 32768 49152";
        assertThat(IntStream.range(0, 32).mapToLong(AethSyndrome::rnrDelayNanos).mapToObj(n -> "" + n / 10_000))
                .containsExactly(hundredths.split(" "));
    }

    @Test
    void everyRnrTimerCodeIsTheCodeOfItsDelay() {
        for (int code = 0; code < 32; code++) {
            assertThat(AethSyndrome.rnrTimerCode(AethSyndrome.rnrDelayNanos(code)))
                    .isEqualTo(code);
        }
        assertThat(AethSyndrome.rnrTimerCode(0)).isEqualTo(1);
        assertThat(AethSyndrome.rnrTimerCode(10_001)).isEqualTo(2);
        assertThat(AethSyndrome.rnrTimerCode(Long.MAX_VALUE)).isZero();
    }

    @Test
    void creditCodesRoundDown() {
        String credits = "0 1 2 3 4 6 8 12 16 24 32 48 64 96 128 192 256 384 512 768 1024 1536 2048 3072 4096 6144 8192"
                + " 12288 16384 24576 32768 -1";
        for (int code = 0; code < 31; code++) {
            assertThat(AethSyndrome.creditCode(AethSyndrome.credits(code))).isEqualTo(code);
        }
        assertThat(IntStream.range(0, 32).map(AethSyndrome::credits).mapToObj(Integer::toString))
                .containsExactly(credits.split(" "));
        assertThat(AethSyndrome.creditCode(5)).isEqualTo(4);
        assertThat(AethSyndrome.creditCode(Integer.MAX_VALUE)).isEqualTo(30);
        assertThat(AethSyndrome.creditCode(AethSyndrome.NO_CREDITS)).isEqualTo(AethSyndrome.NO_CREDIT_CODE);
        assertThat(AethSyndrome.credits(AethSyndrome.NO_CREDIT_CODE)).isEqualTo(AethSyndrome.NO_CREDITS);
    }

    @Test
    void encodersMakeWhatThePredicatesSee() {
        assertThat(AethSyndrome.ack(31)).isEqualTo(AethSyndrome.ACK_NO_CREDITS);
        assertThat(AethSyndrome.isRnrNak(AethSyndrome.rnrNak(14))).isTrue();
        assertThat(AethSyndrome.value(AethSyndrome.rnrNak(14))).isEqualTo(14);
        assertThat(AethSyndrome.isNak(AethSyndrome.NAK_PSN_SEQUENCE_ERROR)).isTrue();
        assertThat(AethSyndrome.name(0x3F)).isEqualTo("RNR NAK 491.52 ms");
    }
}

package io.srpt.srp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoginUnitsTest {
    private static final long GUID = 0x5054_00ff_fe5a_0114L;
    private static final long INITIATOR_GUID = 0x5054_00ff_fe5a_0115L;

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void decodesTheCapturedRdmaCmLogin() {
        byte[] captured = hex("0000000000000000 0006 80 00 00002044 0000000000000000505400fffe5a0115"
                + "505400fffe5a0114505400fffe5a0114 0044 000000000000");
        LoginRequest login = LoginRequest.decode(captured, true);
        assertThat(login)
                .isEqualTo(new LoginRequest(
                        0, 8260, 6, 0x80, 68, new PortId(0, INITIATOR_GUID), new PortId(GUID, GUID)));
        assertThat(login.encode(true)).isEqualTo(captured);
        assertThat(login.wantsImmediateData()).isTrue();
        assertThat(login.multichannelAction()).isEqualTo(LoginRequest.MULTICHANNEL_SINGLE);
        assertThat(login.initiatorPort()).hasToString("0000000000000000505400fffe5a0115");
    }

    @Test
    void encodesTheIbCmLoginByteForByte() {
        LoginRequest login = new LoginRequest(
                0x1122334455667788L, 8260, 6, 0x81, 68, new PortId(1, INITIATOR_GUID), new PortId(GUID, GUID));
        byte[] expected = hex("00 00000000000000 1122334455667788 00002044 00000000 0006 81 00 0044 0000"
                + "0000000000000001505400fffe5a0115 505400fffe5a0114505400fffe5a0114");
        assertThat(login.encode(false)).isEqualTo(expected);
        assertThat(LoginRequest.decode(Arrays.copyOf(expected, 92), false)).isEqualTo(login);
        assertThat(login.multichannelAction()).isEqualTo(LoginRequest.MULTICHANNEL_MULTI);
    }

    @Test
    void encodesTheCapturedLoginResponses() {
        LoginResponse response = new LoginResponse(0, 128, 8276, 8260, 6, 0x82);
        byte[] expected = hex("c0000000 00000080 0000000000000000 00002054 00002044 0006 82" + "00".repeat(25));
        assertThat(response.encode()).isEqualTo(expected);
        assertThat(LoginResponse.decode(Arrays.copyOf(expected, 196))).isEqualTo(response);
        assertThat(response.acceptsImmediateData()).isTrue();
        assertThat(response.multichannelResult()).isEqualTo(LoginResponse.MULTICHANNEL_MAINTAINED);
    }

    @Test
    void encodesTheCapturedLoginReject() {
        byte[] expected = hex("c2000000 00010006 0000000000000000 0000000000000000 0006 000000000000");
        LoginReject reject = new LoginReject(0, LoginRejectReason.CHANNEL_LIMIT_REACHED.code(), 6);
        assertThat(reject.encode()).isEqualTo(expected);
        LoginReject decoded = LoginReject.decode(Arrays.copyOf(expected, 148));
        assertThat(decoded).isEqualTo(reject);
        assertThat(decoded.reason()).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
        assertThat(LoginRejectReason.of(0x00010009)).isEqualTo(LoginRejectReason.OTHER);
    }

    @Test
    void refusesUnitsThatAreTooShortOrOfAnotherType() {
        assertThat(LoginRequest.decode(new byte[55], true)).isNull();
        assertThat(LoginRequest.decode(new byte[63], false)).isNull();
        assertThat(LoginResponse.decode(new byte[51])).isNull();
        assertThat(LoginResponse.decode(new byte[52])).isNull();
        assertThat(LoginReject.decode(new byte[31])).isNull();
        assertThat(LoginReject.decode(new byte[32])).isNull();
    }

    @Test
    void decodesWhatItEncoded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            LoginRequest request = new LoginRequest(
                    random.nextLong(),
                    random.nextInt() & 0xFFFF_FFFFL,
                    random.nextInt(1 << 16),
                    random.nextInt(256),
                    random.nextInt(1 << 16),
                    new PortId(random.nextLong(), random.nextLong()),
                    new PortId(random.nextLong(), random.nextLong()));
            assertThat(LoginRequest.decode(request.encode(true), true)).as("seed %d", seed).isEqualTo(request);
            assertThat(LoginRequest.decode(request.encode(false), false)).as("seed %d", seed).isEqualTo(request);
            LoginResponse response = new LoginResponse(
                    random.nextLong(),
                    random.nextInt(),
                    random.nextInt() & 0xFFFF_FFFFL,
                    random.nextInt() & 0xFFFF_FFFFL,
                    random.nextInt(1 << 16),
                    random.nextInt(256));
            assertThat(LoginResponse.decode(response.encode())).as("seed %d", seed).isEqualTo(response);
            LoginReject reject = new LoginReject(random.nextLong(), random.nextInt(), random.nextInt(1 << 16));
            assertThat(LoginReject.decode(reject.encode())).as("seed %d", seed).isEqualTo(reject);
        }
    }
}

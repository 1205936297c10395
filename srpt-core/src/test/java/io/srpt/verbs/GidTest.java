package io.srpt.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {

    @ParameterizedTest
    @CsvSource({
        "::, ::",
        "::1, ::1",
        "fe80:0000:0000:0000:5054:00ff:fe5a:0114, fe80::5054:ff:fe5a:114",
        "fe80::1%1, fe80::1",
        "fd5a:1::, fd5a:1::",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:0:0:3:4, 1::2:0:0:3:4",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "::ffff:192.0.2.20, ::ffff:192.0.2.20",
        "::ffff:c000:0214, ::ffff:192.0.2.20",
        "192.0.2.255, ::ffff:192.0.2.255",
        "00000000000000000000ffffc0000214, ::ffff:192.0.2.20",
        "fe80000000000000505400fffe5a0114, fe80::5054:ff:fe5a:114"
    })
    void parsesAnyNotationAndPrintsTheCanonicalOne(String text, String canonical) {
        assertThat(Gid.parse(text)).hasToString(canonical);
        assertThat(Gid.parse(canonical)).isEqualTo(Gid.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "localhost",
                "1.2.3.4.5",
                "1.2.3.256",
                "fe80::g",
                "zz80000000000000505400fffe5a0114"
            })
    void refusesWhatIsNoGid(String text) {
        assertThatThrownBy(() -> Gid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tellsMappedIpv4Apart() {
        Gid gid = Gid.parse("192.0.2.21");
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid.ipv4()).isEqualTo(0xC0000215);
        assertThat(gid.toInetAddress()).isInstanceOf(Inet4Address.class);
        assertThat(gid).isEqualTo(Gid.ofIpv4(0xC0000215));
        assertThat(Gid.parse("::192.0.2.21").isIpv4Mapped()).isFalse();
        assertThat(Gid.parse("1::ffff:c000:215").isIpv4Mapped()).isFalse();
    }

    @Test
    void survivesAddressesBytesAndText() {
        long seed = 6;
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            long mask = random.nextBoolean() ? -1L : 0xFFFF_0000_0000_FFFFL;
            Gid gid = new Gid(random.nextLong() & mask, random.nextLong() & mask);
            ByteBuffer buffer = ByteBuffer.allocate(Gid.LENGTH + 1);
            gid.write(buffer, 1);
            assertThat(Gid.read(buffer, 1)).as("seed %d", seed).isEqualTo(gid);
            assertThat(ByteBuffer.wrap(gid.toBytes())).isEqualTo(buffer.slice(1, Gid.LENGTH));
            assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
            assertThat(Gid.of(gid.toInetAddress())).isEqualTo(gid);
        }
    }

    @Test
    void anIpv6AddressHasNoScope() throws Exception {
        InetAddress address = Gid.parse("fe80::1").toInetAddress();
        assertThat(address).isInstanceOf(Inet6Address.class);
        assertThat(((Inet6Address) address).getScopeId()).isZero();
        assertThat(Gid.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))).hasToString("::ffff:127.0.0.1");
    }
}

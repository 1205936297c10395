package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathMtuTest {

    @Test
    void codesNameTheMtus() {
        for (PathMtu mtu : PathMtu.values()) {
            assertThat(mtu.bytes()).isEqualTo(128 << mtu.code());
            assertThat(PathMtu.ofCode(mtu.code())).isSameAs(mtu);
            assertThat(PathMtu.ofBytes(mtu.bytes())).isSameAs(mtu);
            assertThat(PathMtu.ofBytes(mtu.bytes() + 1)).isNull();
        }
        assertThat(PathMtu.ofCode(0)).isNull();
        assertThat(PathMtu.ofCode(6)).isNull();
        assertThat(PathMtu.ofCode(-1)).isNull();
    }

    @Test
    void countsPacketsAndTheBytesOfTheLast() {
        PathMtu mtu = PathMtu.MTU_1024;
        assertThat(mtu.packetsFor(0)).isEqualTo(1);
        assertThat(mtu.packetsFor(1024)).isEqualTo(1);
        assertThat(mtu.packetsFor(1025)).isEqualTo(2);
        assertThat(mtu.packetsFor(0xFFFF_FFFFL)).isEqualTo(1 << 22);
        assertThat(mtu.lastPacketLength(0)).isZero();
        assertThat(mtu.lastPacketLength(1024)).isEqualTo(1024);
        assertThat(mtu.lastPacketLength(1025)).isEqualTo(1);
    }

    @Test
    void fitsTheInterface() {
        assertThat(PathMtu.ofInterfaceMtu(1500)).isSameAs(PathMtu.MTU_1024);
        assertThat(PathMtu.ofInterfaceMtu(9000)).isSameAs(PathMtu.MTU_4096);
        assertThat(PathMtu.ofInterfaceMtu(4192)).isSameAs(PathMtu.MTU_4096);
        assertThat(PathMtu.ofInterfaceMtu(4191)).isSameAs(PathMtu.MTU_2048);
        assertThat(PathMtu.ofInterfaceMtu(65536)).isSameAs(PathMtu.MTU_4096);
        assertThat(PathMtu.ofInterfaceMtu(351)).isNull();
    }
}

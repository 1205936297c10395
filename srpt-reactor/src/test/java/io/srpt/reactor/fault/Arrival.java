package io.srpt.reactor.fault;

import io.srpt.srp.PortId;
import io.srpt.target.ArrivedCommand;
import java.util.HexFormat;

/** A command that came, made up. */
record Arrival(long tag, byte[] cdb) implements ArrivedCommand {
    static final String READ_10 = "28 00 00000000 00 0001 00";
    static final String WRITE_10 = "2a 00 00000000 00 0001 00";

    static Arrival of(long tag, String cdb) {
        return new Arrival(tag, HexFormat.of().parseHex(cdb.replace(" ", "")));
    }

    @Override
    public String port() {
        return "fake0/1";
    }

    @Override
    public long channel() {
        return 1;
    }

    @Override
    public PortId initiatorPort() {
        return new PortId(1, 2);
    }

    @Override
    public long lun() {
        return 0;
    }

    @Override
    public int cdbLength() {
        return cdb.length;
    }

    @Override
    public int cdbByte(int index) {
        return cdb[index] & 0xFF;
    }

    @Override
    public long dataLength() {
        return 512;
    }
}

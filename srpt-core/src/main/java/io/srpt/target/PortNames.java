package io.srpt.target;

import io.srpt.verbs.Gid;
import java.util.HexFormat;
import java.util.List;

/**
 * The two names of a port, which both come from its first address.
 *
 * @param guid the low half, such as {@code 5054:00ff:fe5a:0114}
 * @param gid {@code 0x} and 32 hexadecimal digits
 */
record PortNames(String guid, String gid) {
    /** Of the first of {@code gids} that is an address: one that went away leaves zeros in its place. */
    static PortNames of(List<Gid> gids) {
        Gid first = gids.stream().filter(gid -> !gid.isZero()).findFirst().orElse(Gid.ZERO);
        HexFormat hex = HexFormat.of();
        String low = hex.toHexDigits(first.low());
        return new PortNames(
                String.join(":", low.substring(0, 4), low.substring(4, 8), low.substring(8, 12), low.substring(12)),
                "0x" + hex.toHexDigits(first.high()) + low);
    }

    /** Whether {@code name} is one of them, to the letter. */
    boolean contains(String name) {
        return name.equals(guid) || name.equals(gid);
    }
}

package io.srpt.service;

import java.net.Inet6Address;
import java.net.InetAddress;

/** IP addresses of the command line and the configuration file. */
final class Addresses {
    private Addresses() {}

    /** Reads an address; names are not looked up. {@code what} names the option in the message. */
    static InetAddress parse(String what, String text) throws ConfigurationException {
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(unbracketed(text));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    what + ": '" + text + "' is no IP address; write such as 192.0.2.1 or fd00::1", e);
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new ConfigurationException(
                    what + ": " + text + " names no single interface; give the address that initiators reach");
        }
        return address;
    }

    /** {@code ADDR:PORT}, IPv6 in brackets and without scope, as {@code add_target} wants it. */
    static String withPort(InetAddress address, int port) {
        String text = plain(address);
        return address instanceof Inet6Address ? "[" + text + "]:" + port : text + ":" + port;
    }

    /** The address without scope; IPv6 as RFC 5952 writes it. */
    static String plain(InetAddress address) {
        return address instanceof Inet6Address ? rfc5952(address.getAddress()) : address.getHostAddress();
    }

    /** Lower case, no leading zeros, and the first longest run of two or more zero groups as two colons. */
    private static String rfc5952(byte[] bytes) {
        int[] groups = new int[bytes.length / 2];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << Byte.SIZE | bytes[2 * i + 1] & 0xFF;
        }
        int zeros = 0;
        int zerosAt = groups.length;
        for (int i = 0; i < groups.length; i++) {
            int run = 0;
            while (i + run < groups.length && groups[i + run] == 0) {
                run++;
            }
            if (run > Math.max(1, zeros)) {
                zeros = run;
                zerosAt = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups.length; i++) {
            if (i == zerosAt) {
                text.append("::");
                i += zeros - 1;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    private static String unbracketed(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        return bracketed ? text.substring(1, text.length() - 1) : text;
    }
}

package io.srpt.service;

import io.srpt.verbs.Gid;
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

    /** Reads one of a setting. */
    static InetAddress parse(Setting setting) throws ConfigurationException {
        try {
            return parse(setting.path(), setting.text());
        } catch (ConfigurationException e) {
            String message = String.valueOf(e.getMessage());
            throw setting.wrong(message.substring(setting.path().length() + 2));
        }
    }

    /** {@code ADDR:PORT}, IPv6 in brackets and without scope, as {@code add_target} wants it. */
    static String withPort(InetAddress address, int port) {
        String text = plain(address);
        return address instanceof Inet6Address ? "[" + text + "]:" + port : text + ":" + port;
    }

    /** The address in its shortest form, without scope. */
    static String plain(InetAddress address) {
        return address instanceof Inet6Address ? Gid.of(address).toString() : address.getHostAddress();
    }

    private static String unbracketed(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        return bracketed ? text.substring(1, text.length() - 1) : text;
    }
}

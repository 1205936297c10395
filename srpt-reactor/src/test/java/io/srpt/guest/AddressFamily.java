package io.srpt.guest;

/** Which of a target's two addresses an initiator uses. */
enum AddressFamily {
    IPV4("IPv4"),
    IPV6("IPv6");

    private final String label;

    AddressFamily(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}

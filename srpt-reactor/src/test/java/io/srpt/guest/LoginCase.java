package io.srpt.guest;

import java.util.List;

/**
 * One way for the kernel's initiator to log in.
 *
 * @param family of the target's address
 * @param mtu of the guest's interface, which decides the path MTU: 1500 for 1024, 9000 for 4096
 * @param module options of the module ib_srp
 * @param descriptors {@code cmd_sg_entries}: memory descriptors in a command
 * @param channels {@code ch_count}: connections of the session
 */
record LoginCase(AddressFamily family, int mtu, Module module, int descriptors, int channels) {
    /** Options of the module ib_srp, which decide how it describes its memory. */
    enum Module {
        DEFAULT(""),
        NO_IMMEDIATE_DATA("use_imm_data=N"),
        NO_REGISTRATION("never_register=Y"),
        /** With {@code allow_ext_sg=1,cmd_sg_entries=1} at login the unit has one descriptor of a table of many. */
        PARTIAL_TABLES("never_register=Y indirect_sg_entries=2048");

        private final String options;

        Module(String options) {
            this.options = options;
        }

        String options() {
            return options;
        }
    }

    /**
     * Every pair of values of two parameters is in at least one case; nine cases would do, the others are combinations
     * that are likely in use. In the order that needs the fewest changes of the guest's set-up.
     */
    static final List<LoginCase> ALL = List.of(
            new LoginCase(AddressFamily.IPV4, 1500, Module.DEFAULT, 12, 1),
            new LoginCase(AddressFamily.IPV4, 1500, Module.DEFAULT, 1, 4),
            new LoginCase(AddressFamily.IPV6, 1500, Module.DEFAULT, 12, 2),
            new LoginCase(AddressFamily.IPV4, 1500, Module.NO_IMMEDIATE_DATA, 255, 1),
            new LoginCase(AddressFamily.IPV6, 1500, Module.NO_IMMEDIATE_DATA, 1, 2),
            new LoginCase(AddressFamily.IPV4, 1500, Module.NO_REGISTRATION, 12, 2),
            new LoginCase(AddressFamily.IPV6, 1500, Module.NO_REGISTRATION, 255, 1),
            new LoginCase(AddressFamily.IPV4, 9000, Module.NO_REGISTRATION, 255, 4),
            new LoginCase(AddressFamily.IPV6, 9000, Module.NO_REGISTRATION, 1, 1),
            new LoginCase(AddressFamily.IPV6, 9000, Module.NO_IMMEDIATE_DATA, 12, 4),
            new LoginCase(AddressFamily.IPV6, 9000, Module.DEFAULT, 255, 2),
            new LoginCase(AddressFamily.IPV4, 9000, Module.DEFAULT, 12, 1));

    /** The add_target options of this case. */
    String options() {
        String options = "cmd_sg_entries=" + descriptors + ",ch_count=" + channels;
        // Without registrations a segment is a descriptor: more of them than fit would be an I/O error of the
        // initiator.
        return module == Module.NO_REGISTRATION ? options + ",sg_tablesize=" + descriptors : options;
    }

    List<Object> values() {
        return List.of(family, mtu, module, descriptors, channels);
    }

    @Override
    public String toString() {
        return "%s, MTU %d, %s, %s"
                .formatted(family, mtu, module == Module.DEFAULT ? "default options" : module.options(), options());
    }
}

package io.srpt.mad;

/** Attributes of management datagrams as they are counted: those of the classes that a target serves. */
public enum MadAttribute {
    CLASS_PORT_INFO,
    IO_UNIT_INFO,
    IO_CONTROLLER_PROFILE,
    SERVICE_ENTRIES,
    CM_REQ,
    CM_MRA,
    CM_REJ,
    CM_REP,
    CM_RTU,
    CM_DREQ,
    CM_DREP,
    /** Of another class, or another attribute. */
    OTHER,
    /** The datagram could not be read that far. */
    NONE;

    private static final int CLASS_COMMUNICATION_MANAGEMENT = 0x07;
    private static final int CLASS_DEVICE_MANAGEMENT = 0x06;

    /** The attribute {@code id} of {@code managementClass}. */
    public static MadAttribute of(int managementClass, int id) {
        return switch (managementClass) {
            case CLASS_DEVICE_MANAGEMENT -> ofDeviceManagement(id);
            case CLASS_COMMUNICATION_MANAGEMENT -> ofCommunicationManagement(id);
            default -> id == 0x0001 ? CLASS_PORT_INFO : OTHER;
        };
    }

    private static MadAttribute ofDeviceManagement(int id) {
        return switch (id) {
            case 0x0001 -> CLASS_PORT_INFO;
            case 0x0010 -> IO_UNIT_INFO;
            case 0x0011 -> IO_CONTROLLER_PROFILE;
            case 0x0012 -> SERVICE_ENTRIES;
            default -> OTHER;
        };
    }

    private static MadAttribute ofCommunicationManagement(int id) {
        return switch (id) {
            case 0x0001 -> CLASS_PORT_INFO;
            case 0x0010 -> CM_REQ;
            case 0x0011 -> CM_MRA;
            case 0x0012 -> CM_REJ;
            case 0x0013 -> CM_REP;
            case 0x0014 -> CM_RTU;
            case 0x0015 -> CM_DREQ;
            case 0x0016 -> CM_DREP;
            default -> OTHER;
        };
    }
}

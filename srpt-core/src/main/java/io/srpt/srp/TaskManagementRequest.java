package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_TSK_MGMT: a task management function (SRP r16a §6.7). 48 bytes; a longer unit is legal, the rest means nothing.
 *
 * <pre>
 *   0   type 0x01
 *   1   bit 1 SCSOLNT, bit 2 UCSOLNT
 *   8   tag of this request (8)
 *   20  LUN (8)
 *   30  function
 *   32  tag of the task to manage (8)
 * </pre>
 */
public final class TaskManagementRequest extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = 48;

    public static final int LUN_OFFSET = 20;
    public static final int FUNCTION_OFFSET = 30;
    public static final int TASK_TAG_OFFSET = 32;

    public static final int ABORT_TASK = 0x01;
    public static final int ABORT_TASK_SET = 0x02;
    public static final int CLEAR_TASK_SET = 0x04;
    public static final int LUN_RESET = 0x08;
    public static final int CLEAR_ACA = 0x40;

    public TaskManagementRequest() {
        super(InformationUnitType.TSK_MGMT, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public TaskManagementRequest wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 48 bytes, zero but for the type. */
    public TaskManagementRequest initialise() {
        initialiseUnit();
        return this;
    }

    public TaskManagementRequest tag(long tag) {
        putTag(tag);
        return this;
    }

    /** SCSOLNT (bit 1) and UCSOLNT (bit 2). */
    public int solicitedNotification() {
        return getByte(SOLICITED_OFFSET);
    }

    public TaskManagementRequest solicitedNotification(int bits) {
        putByte(SOLICITED_OFFSET, bits);
        return this;
    }

    /** The 8 bytes of the LUN in SAM format, as one number. */
    public long lun() {
        return getLong(LUN_OFFSET);
    }

    public TaskManagementRequest lun(long lun) {
        putLong(LUN_OFFSET, lun);
        return this;
    }

    public int function() {
        return getByte(FUNCTION_OFFSET);
    }

    public TaskManagementRequest function(int function) {
        putByte(FUNCTION_OFFSET, function);
        return this;
    }

    /** ABORT TASK: the tag of the command to abort. */
    public long taskTag() {
        return getLong(TASK_TAG_OFFSET);
    }

    public TaskManagementRequest taskTag(long tag) {
        putLong(TASK_TAG_OFFSET, tag);
        return this;
    }
}

package io.srpt.scsi;

import io.srpt.store.StoreStatus;

/** What a store's error becomes at the initiator. */
final class StoreErrors {
    private StoreErrors() {}

    static void finish(ScsiTask task, StoreStatus error, long offset) {
        LogicalUnit unit = task.unit();
        long lba = offset >>> unit.blockShift();
        if (error != StoreStatus.BUSY) {
            unit.counters().storeErrors.increment();
            unit.notReady(error == StoreStatus.NOT_READY);
        }
        switch (error) {
            case READ_ERROR -> task.checkCondition(Sense.UNRECOVERED_READ_ERROR, lba);
            case WRITE_ERROR -> task.checkCondition(Sense.WRITE_ERROR, lba);
            case FLUSH_ERROR -> task.checkCondition(Sense.WRITE_ERROR);
            case NO_SPACE -> task.checkCondition(Sense.SPACE_ALLOCATION_FAILED, lba);
            case WRITE_PROTECTED -> task.checkCondition(Sense.WRITE_PROTECTED);
            case OUT_OF_RANGE -> task.checkCondition(Sense.LBA_OUT_OF_RANGE);
            case NOT_READY -> task.checkCondition(Sense.LOGICAL_UNIT_NOT_READY);
            case BUSY -> task.finish(unit.tasks().hasOtherOfNexus(task) ? ScsiStatus.TASK_SET_FULL : ScsiStatus.BUSY);
            case OK, NOT_SUPPORTED, INTERNAL_ERROR -> task.checkCondition(Sense.INTERNAL_TARGET_FAILURE);
        }
    }
}

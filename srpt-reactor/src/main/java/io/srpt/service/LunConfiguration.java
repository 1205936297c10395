package io.srpt.service;

import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.store.StoreSpec;
import org.jspecify.annotations.Nullable;

/**
 * One disk, as it was configured.
 *
 * @param lun its number
 * @param store where its bytes are, and how it is opened
 * @param serial its serial number, null for one that follows from target, LUN and store
 * @param product what INQUIRY says that it is, null for the default
 * @param blockSize logical block length in bytes, 512 or 4096
 * @param physicalBlockSize physical block length in bytes
 */
public record LunConfiguration(
        int lun,
        StoreSpec store,
        @Nullable String serial,
        @Nullable String product,
        int blockSize,
        int physicalBlockSize) {
    static final int BLOCK_SIZE = 512;
    static final int PHYSICAL_BLOCK_SIZE = 4096;

    /** A disk with all else by default. */
    public static LunConfiguration of(int lun, StoreSpec store) {
        return new LunConfiguration(lun, store, null, null, BLOCK_SIZE, PHYSICAL_BLOCK_SIZE);
    }

    /** The same disk with other words for its store. */
    LunConfiguration withStore(StoreSpec other) {
        return new LunConfiguration(lun, other, serial, product, blockSize, physicalBlockSize);
    }

    /** What the disk says of itself; {@code derivedSerial} where it has no serial number of its own. */
    LogicalUnitConfig unit(String derivedSerial) {
        LogicalUnitConfig config = LogicalUnitConfig.defaults(serial == null ? derivedSerial : serial)
                .withBlockSizes(blockSize, physicalBlockSize);
        return product == null ? config : config.withProduct(product);
    }
}

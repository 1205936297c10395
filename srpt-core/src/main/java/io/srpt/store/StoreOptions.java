package io.srpt.store;

/**
 * How to open a store that is kept in a file or on a block device.
 *
 * @param readOnly refuse every change; several targets may then open the same file
 * @param writeCache let writes complete before they are durable, which a flush makes them; without, all are durable
 * @param thin take space as it is written and give it back when it is unmapped; without, a file takes all of it when it is
 *     opened, so that no write ends for want of space
 * @param direct go past the page cache ({@code O_DIRECT})
 */
public record StoreOptions(boolean readOnly, boolean writeCache, boolean thin, boolean direct) {
    /** Writable, with write cache, thin, through the page cache. */
    public static final StoreOptions DEFAULT = new StoreOptions(false, true, true, false);

    public StoreOptions withReadOnly(boolean value) {
        return new StoreOptions(value, writeCache, thin, direct);
    }

    public StoreOptions withWriteCache(boolean value) {
        return new StoreOptions(readOnly, value, thin, direct);
    }

    public StoreOptions withThin(boolean value) {
        return new StoreOptions(readOnly, writeCache, value, direct);
    }

    public StoreOptions withDirect(boolean value) {
        return new StoreOptions(readOnly, writeCache, thin, value);
    }
}

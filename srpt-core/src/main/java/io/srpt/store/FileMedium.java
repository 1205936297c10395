package io.srpt.store;

import java.nio.file.Path;

/**
 * What a {@link FileStore} found when it was opened.
 *
 * @param name as the operator knows it, such as {@code file:/srv/a.img}
 * @param size bytes
 * @param device whether it is a block device, which nobody grows from here
 * @param blockSize see {@link BlockStore#physicalBlockSize()}
 * @param granularity see {@link BlockStore#unmapGranularity()}
 * @param thin whether it can give space back
 * @param direct whether transfers go past the page cache, and so may block whatever is asked
 * @param rangeUnit what offsets and lengths of {@code fallocate} have to be multiples of
 */
record FileMedium(
        FileCalls calls,
        String name,
        Path path,
        long size,
        boolean device,
        int blockSize,
        int granularity,
        boolean thin,
        boolean direct,
        int rangeUnit) {}

package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class NullStoreTest {
    @Test
    void takesWritesAndReadsAsZerosSoThatNoOldDataShows() throws Exception {
        try (BlockStore store = new NullStore(1 << 20)) {
            ByteBuffer buffer =
                    ByteBuffer.allocate(8).putLong(0, -1).position(2).limit(6);
            ByteBuffer[] segments = {buffer};
            RecordingCompletion written = new RecordingCompletion();
            store.write(0, segments, 1, true, written);
            assertThat(written.await()).isEqualTo(StoreStatus.OK);
            RecordingCompletion read = new RecordingCompletion();
            store.read(0, segments, 1, read);
            assertThat(read.await()).isEqualTo(StoreStatus.OK);
            assertThat(buffer.clear().getLong(0)).isEqualTo(0xFFFF_0000_0000_FFFFL);
            RecordingCompletion outside = new RecordingCompletion();
            store.read(1 << 20, segments, 1, outside);
            assertThat(outside.await()).isEqualTo(StoreStatus.OUT_OF_RANGE);
        }
    }
}

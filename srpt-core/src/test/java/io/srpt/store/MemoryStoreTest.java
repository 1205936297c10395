package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
    @Override
    BlockStore open() throws Exception {
        return MemoryStore.open(SIZE);
    }

    @Test
    void completesInline() throws Exception {
        try (BlockStore store = MemoryStore.open(4096)) {
            RecordingCompletion done = new RecordingCompletion();
            store.read(0, new ByteBuffer[] {ByteBuffer.allocate(1)}, 1, done);
            assertThat(done.isDone()).isTrue();
            assertThat(store.writeCacheEnabled()).isFalse();
        }
    }

    @Test
    void servesASizeThatIsNoMultipleOfItsChunks() throws Exception {
        try (BlockStore store = MemoryStore.open(MemoryStore.CHUNK_BYTES + 512L)) {
            RecordingCompletion done = new RecordingCompletion();
            store.write(MemoryStore.CHUNK_BYTES - 1L, new ByteBuffer[] {ByteBuffer.allocate(513)}, 1, false, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
        }
    }

    @Test
    void refusesADiskThatCannotFit() {
        assertThatThrownBy(() -> MemoryStore.open(1L << 50))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("memory:1PiB does not fit")
                .hasMessageContaining("-XX:MaxDirectMemorySize");
        assertThatThrownBy(() -> MemoryStore.open(0)).isInstanceOf(StoreException.class);
    }

    @Test
    void refusesWritesWhenReadOnly() throws Exception {
        try (BlockStore store = MemoryStore.open(4096, true)) {
            RecordingCompletion done = new RecordingCompletion();
            store.write(0, new ByteBuffer[] {ByteBuffer.allocate(1)}, 1, false, done);
            assertThat(done.await()).isEqualTo(StoreStatus.WRITE_PROTECTED);
        }
    }
}

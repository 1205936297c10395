package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.testing.StoreContract;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class MemoryStoreTest {
    @TestFactory
    Stream<DynamicTest> keepsTheContract() throws Exception {
        return StoreContract.of(() -> MemoryStore.open((3 << 20) + 512)).checks().stream()
                .map(check -> DynamicTest.dynamicTest(check.name(), check::run));
    }

    @TestFactory
    Stream<DynamicTest> keepsTheContractWhenReadOnly() throws Exception {
        return StoreContract.of(() -> MemoryStore.open(4096, true)).checks().stream()
                .map(check -> DynamicTest.dynamicTest(check.name(), check::run));
    }

    @Test
    void accountsForEach512BytesAndGivesPagesBack() throws Exception {
        try (BlockStore store = MemoryStore.open(64 << 20)) {
            RecordingCompletion done = new RecordingCompletion();
            store.write(1 << 20, new ByteBuffer[] {ByteBuffer.allocate(3 << 20)}, 1, false, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
            assertThat(store.usage()).isEqualTo(new StoreUsage(3 << 20, StoreUsage.UNKNOWN));
            RecordingCompletion unmapped = new RecordingCompletion();
            store.unmap((2 << 20) + 512, 1024, false, unmapped);
            assertThat(unmapped.await()).isEqualTo(StoreStatus.OK);
            assertThat(store.usage().allocatedBytes()).isEqualTo((3 << 20) - 1024);
            List<String> runs = new ArrayList<>();
            for (long at = 0; at < store.sizeBytes(); ) {
                long from = at;
                long[] length = new long[1];
                store.allocation(at, store.sizeBytes() - at, (status, allocated, run) -> {
                    runs.add((allocated ? "+" : "-") + from + ":" + run);
                    length[0] = run;
                });
                at += length[0];
            }
            assertThat(runs)
                    .containsExactly(
                            "-0:1048576", "+1048576:1049088", "-2097664:1024", "+2098688:2095616", "-4194304:62914560");
        }
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

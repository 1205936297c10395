package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataBufferPoolTest {
    private final FakeRdma device = new FakeRdma();
    private final TargetCounters counters = new TargetCounters();
    private final List<String> served = new ArrayList<>();

    private final class Client implements DataBufferPool.Waiter {
        private final String name;
        private final DataBufferPool pool;
        private final int chunks;
        private final List<DataChunk> held = new ArrayList<>();

        Client(String name, DataBufferPool pool, int chunks) {
            this.name = name;
            this.pool = pool;
            this.chunks = chunks;
        }

        @Override
        public int chunksNeeded() {
            return chunks;
        }

        @Override
        public void onChunksAvailable() {
            served.add(name);
            for (int i = 0; i < chunks; i++) {
                held.add(pool.take());
            }
        }

        @Override
        public void onChunksRefused() {
            served.add(name + " refused");
        }

        void release() {
            held.forEach(pool::release);
            held.clear();
            pool.serve();
        }
    }

    private DataBufferPool pool(int chunks) {
        return new DataBufferPool(device, (long) chunks * DataBufferPool.CHUNK_LENGTH, counters);
    }

    @Test
    void allocatesLazilyUpToItsBound() {
        DataBufferPool pool = pool(20);
        assertThat(device.regions).isEmpty();
        Client one = new Client("one", pool, 1);
        pool.request(one);
        assertThat(device.regions).hasSize(1);
        Client all = new Client("rest", pool, 19);
        pool.request(all);
        assertThat(device.regions).hasSize(2);
        assertThat(counters.dataBufferBytes.get()).isEqualTo(20L * DataBufferPool.CHUNK_LENGTH);
        assertThat(served).containsExactly("one", "rest");
        one.release();
        all.release();
        assertThat(counters.chunksInUse.get()).isZero();
        pool.close();
        assertThat(device.regions).isEmpty();
    }

    @Test
    void whoWaitsIsServedInOrderAndNobodyOvertakes() {
        DataBufferPool pool = pool(4);
        Client first = new Client("first", pool, 3);
        Client large = new Client("large", pool, 4);
        Client small = new Client("small", pool, 1);
        pool.request(first);
        pool.request(large);
        pool.request(small);
        assertThat(served).containsExactly("first");
        assertThat(counters.commandsWaiting.get()).isEqualTo(2);
        first.release();
        assertThat(served).containsExactly("first", "large");
        large.release();
        assertThat(served).containsExactly("first", "large", "small");
        small.release();
        assertThat(counters.commandsWaiting.get()).isZero();
    }

    @Test
    void aRequestCanBeWithdrawn() {
        DataBufferPool pool = pool(1);
        Client holder = new Client("holder", pool, 1);
        Client gone = new Client("gone", pool, 1);
        Client next = new Client("next", pool, 1);
        pool.request(holder);
        pool.request(gone);
        pool.request(next);
        pool.cancel(gone);
        pool.cancel(gone);
        holder.release();
        assertThat(served).containsExactly("holder", "next");
        assertThat(counters.commandsWaiting.get()).isZero();
    }

    @Test
    void refusesWhatNoMemoryCanBeHadForAndServesTheRest() {
        DataBufferPool pool = pool(64);
        Client some = new Client("some", pool, 16);
        pool.request(some);
        device.refuseRegions = true;
        Client more = new Client("more", pool, 17);
        pool.request(more);
        Client fits = new Client("fits", pool, 16);
        pool.request(fits);
        some.release();
        assertThat(served).containsExactly("some", "more refused", "fits");
    }
}

package io.srpt.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CounterTest {
    @Test
    @Tag("pitfall-109")
    void goesOnBeyond32Bits() {
        Counter counter = new Counter();
        counter.add(Integer.MAX_VALUE);
        counter.increment();
        assertThat(counter.get()).isEqualTo(1L << 31);
        counter.add(0xFFFF_FFFFL - (1L << 31));
        counter.increment();
        assertThat(counter.get()).isEqualTo(1L << 32);
        counter.decrement();
        assertThat(counter).hasToString("4294967295");
    }
}

package io.srpt.store;

/** Hears that a disk has grown. */
@FunctionalInterface
public interface CapacityListener {
    /**
     * {@link BlockStore#sizeBytes()} returns {@code sizeBytes} now, more than before. Called from any thread; must not
     * block and not throw.
     */
    void onCapacityChanged(long sizeBytes);
}

package io.srpt.verbs;

/** Where a datagram goes. Must live until the sends that use it have completed. */
public interface AddressHandle extends AutoCloseable {
    AddressVector vector();

    /** Frees it; a second call does nothing and is counted as a bug by the provider. */
    @Override
    void close();
}

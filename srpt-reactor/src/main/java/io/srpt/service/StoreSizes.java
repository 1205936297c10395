package io.srpt.service;

import io.srpt.store.StoreSpec;

/** The sizes in what operators write of stores. */
final class StoreSizes {
    private StoreSizes() {}

    /** Bytes; 0 where the medium says it. */
    static long of(StoreSpec store) {
        return switch (store) {
            case StoreSpec.Memory memory -> memory.size();
            case StoreSpec.File file -> file.size();
            case StoreSpec.Null nothing -> nothing.size();
            case StoreSpec.Device device -> 0;
        };
    }

    /** The same store with another size; as it is where its medium says the size. */
    static StoreSpec with(StoreSpec store, long bytes) {
        return switch (store) {
            case StoreSpec.Memory memory -> new StoreSpec.Memory(bytes, memory.readOnly());
            case StoreSpec.File file -> new StoreSpec.File(file.path(), bytes, file.options());
            case StoreSpec.Null nothing -> new StoreSpec.Null(bytes);
            case StoreSpec.Device device -> device;
        };
    }
}

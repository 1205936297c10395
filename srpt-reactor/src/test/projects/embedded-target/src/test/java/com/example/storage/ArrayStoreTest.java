package com.example.storage;

import io.srpt.store.testing.StoreContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ArrayStoreTest {
    @TestFactory
    Stream<DynamicTest> keepsTheContract() throws Exception {
        return StoreContract.of(() -> new ArrayStore(1 << 20)).checks().stream()
                .map(check -> DynamicTest.dynamicTest(check.name(), check::run));
    }
}

package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class IsolatedEventsTest {
    @Test
    void everyEventIsHandedOn() {
        assertThat(Arrays.stream(TargetEvents.class.getDeclaredMethods())
                        .filter(Method::isDefault)
                        .map(Method::getName))
                .isSubsetOf(Arrays.stream(IsolatedEvents.class.getDeclaredMethods())
                        .map(Method::getName)
                        .toList());
    }
}

package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoginCaseTest {
    private static final int PARAMETERS = 5;

    @Test
    void everyPairOfValuesIsInACase() {
        for (int i = 0; i < PARAMETERS; i++) {
            for (int j = i + 1; j < PARAMETERS; j++) {
                assertThat(pairs(i, j)).hasSize(valuesOf(i).size() * valuesOf(j).size());
            }
        }
    }

    @Test
    void everyValueThatMattersIsInACase() {
        assertThat(valuesOf(1)).containsExactlyInAnyOrder(1500, 9000);
        assertThat(valuesOf(3)).containsExactlyInAnyOrder(1, 12, 255);
        assertThat(valuesOf(4)).containsExactlyInAnyOrder(1, 2, 4);
    }

    private static Set<Object> valuesOf(int parameter) {
        Set<Object> values = new LinkedHashSet<>();
        LoginCase.ALL.forEach(each -> values.add(each.values().get(parameter)));
        return values;
    }

    private static Set<List<Object>> pairs(int i, int j) {
        Set<List<Object>> pairs = new HashSet<>();
        LoginCase.ALL.forEach(
                each -> pairs.add(List.of(each.values().get(i), each.values().get(j))));
        return pairs;
    }
}

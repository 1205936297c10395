package io.srpt.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table names is there; that its tests passed is for {@link TestedFunctions}, after all of them. */
class FunctionTableTest {
    @Test
    void eachFunctionOfTheDriverIsInItOnce() throws Exception {
        assertThat(FunctionTable.DRIVER).hasSize(52).doesNotHaveDuplicates();
        assertThat(rows()).extracting(FunctionTable.Row::function).containsExactlyElementsOf(FunctionTable.DRIVER);
    }

    @Test
    void eachTypeHasItsMethod() throws Exception {
        for (FunctionTable.Row row : rows()) {
            assertThat(Arrays.stream(Class.forName(row.type()).getDeclaredMethods()))
                    .as(row.toString())
                    .anyMatch(method -> method.getName().equals(row.method()));
        }
    }

    private static List<FunctionTable.Row> rows() throws Exception {
        return FunctionTable.read(Path.of("../srpt-core/README.md"));
    }
}

package io.srpt.pitfalls;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.Needed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each pitfall has a test or a reason; that its tests passed is for {@link TestedPitfalls}, after all of them. */
class PitfallTableTest {
    /** How many may go without a test. */
    private static final int MOST_REASONS = 15;

    @Test
    void hasEachNumberOnceAndFewReasons() throws Exception {
        List<PitfallTable.Row> rows = rows();
        assertThat(rows)
                .extracting(PitfallTable.Row::number)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, PitfallTable.COUNT).boxed().toList());
        assertThat(rows).filteredOn(row -> !row.reason().isEmpty()).hasSizeLessThanOrEqualTo(MOST_REASONS);
    }

    @Test
    void eachNumberHasATestOrAReason() throws Exception {
        Path ours = Path.of(PitfallTableTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path module = Path.of("").toAbsolutePath();
        Path core = module.resolveSibling("srpt-core").resolve(module.relativize(ours));
        Needed.isThere(Files.isDirectory(core), core + ": the tests of the core are not compiled");
        List<TaggedTests.Tagged> tagged = new ArrayList<>(TaggedTests.below(core));
        tagged.addAll(TaggedTests.below(ours));

        Set<Integer> shown =
                tagged.stream().map(TaggedTests.Tagged::number).collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> wanted = rows().stream()
                .filter(PitfallTable.Row::needsTest)
                .map(PitfallTable.Row::number)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(shown).isEqualTo(wanted);
    }

    private static List<PitfallTable.Row> rows() throws Exception {
        return PitfallTable.read(Path.of("../srpt-core/PITFALLS.md"));
    }
}

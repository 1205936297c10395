package io.srpt.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    @ParameterizedTest
    @CsvSource({"1.8, 8", "17, 17", "25, 25", "unknown, 0"})
    void readsTheFeatureReleaseOfASpecificationVersion(String specificationVersion, int feature) {
        assertThat(Main.feature(specificationVersion)).isEqualTo(feature);
    }

    @Test
    void complainsInOneLineThatNamesTheJavaNeededAndTheJavaFound() {
        assertThat(Main.complaint("17", "/opt/java-17"))
                .doesNotContain("\n")
                .contains("needs Java 25", "Java 17 in /opt/java-17", "https://adoptium.net");
    }
}

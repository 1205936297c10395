package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SrptVersionTest {
    @Test
    void isTheVersionThatMavenBuilt() {
        assertThat(SrptVersion.version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }
}

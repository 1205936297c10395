package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.roce.net.FaultSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultOptionsTest {
    @Test
    void readsEveryKeyInAnyOrder() throws ConfigurationException {
        assertThat(FaultOptions.parse("loss=1%,seed=7,reorder=0.25,duplicate=0.5%"))
                .isEqualTo(new FaultSpec(7, 0.01, 0.005, 0.25, Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "los=1 | faults: 'los=1' is not one of seed=, loss=, duplicate=, reorder=",
                "loss | faults: 'loss' is not one of seed=, loss=, duplicate=, reorder=",
                "loss=2 | faults: loss '2' is no share; write 0 to 1, or such as 1%",
                "loss=NaN | faults: loss 'NaN' is no share; write 0 to 1, or such as 1%",
                "loss=0.1,loss=0.2 | faults: loss is given twice",
                "seed=x | faults: seed 'x' is no whole number"
            })
    void saysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> FaultOptions.parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(message);
    }
}

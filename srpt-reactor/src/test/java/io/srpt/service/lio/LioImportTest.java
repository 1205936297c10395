package io.srpt.service.lio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Names of ports in every spelling, and what is said to have no counterpart. */
class LioImportTest {
    private static final Path SAMPLES = Path.of("src/test/resources/lio");

    @ParameterizedTest
    @CsvSource({
        "ib.0000000000000000505400fffe5a0115, 0x0000000000000000505400fffe5a0115",
        "0x0000000000000000505400FFFE5A0115, 0x0000000000000000505400fffe5a0115",
        "0x1505400fffe5a0115, 0x0000000000000001505400fffe5a0115",
        "505400fffe5a0115, 0x505400fffe5a0115",
        "5054:00ff:fe5a:115, 0x505400fffe5a0115",
        "192.0.2.22, 192.0.2.22",
        "fd5a:0001:0000:0000:0000:0000:0000:0021, fd5a:1:0:0:0:0:0:21",
        "fd5a:1::21, fd5a:1:0:0:0:0:0:21",
    })
    void readsANameInEverySpelling(String spelled, String initiator) {
        assertThat(Objects.requireNonNull(WorldWideName.parse(spelled)).initiator())
                .isEqualTo(initiator);
    }

    @ParameterizedTest
    @CsvSource({"iqn.2001-04.com.example:host", "naa.20000cfd37041a1e", "0xfd5a::1", "''", "1:2:3:4:5"})
    void refusesWhatIsNoNameOfAPort(String spelled) {
        assertThat(WorldWideName.parse(spelled)).isNull();
    }

    @Test
    void listsAttributesThatSayWhatADiskOfOursDoesNot() throws IOException {
        JsonNode saved = JsonMapper.shared()
                .readTree(sample("saveconfig-srpt-roce.json").replace("\"emulate_tas\": 1", "\"emulate_tas\": 0"));
        assertThat(LioImport.of(saved).leftOut())
                .contains("storage object /backstores/fileio/db attribute emulate_tas = 0");
    }

    @Test
    void keepsADiskWhoseNumberTwoGroupsUse() throws IOException {
        LioImport.Result result = LioImport.of(JsonMapper.shared().readTree(sample("saveconfig-srpt-ib.json")));
        assertThat(String.valueOf(result.settings().get("lun")))
                .contains("lun=0, store=file:/srv/srp/db.img:10737418240")
                .contains("lun=1, store=memory:67108864");
        assertThat(String.valueOf(result.settings().get("acls"))).contains("luns=[{lun=1, as=0}]");
    }

    private static String sample(String name) throws IOException {
        return Files.readString(SAMPLES.resolve(name));
    }
}

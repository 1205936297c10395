package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreSpecTest {
    @Test
    void readsWhatTheOperatorWrites() throws Exception {
        assertThat(StoreSpec.parse("memory:64MiB")).isEqualTo(new StoreSpec.Memory(64L << 20));
        assertThat(StoreSpec.parse("file:/srv/a.img")).isEqualTo(new StoreSpec.File(Path.of("/srv/a.img"), 0));
        assertThat(StoreSpec.parse("file:/srv/a.img:10GiB"))
                .isEqualTo(new StoreSpec.File(Path.of("/srv/a.img"), 10L << 30));
        assertThat(StoreSpec.parse("file:/srv/a:b/c.img")).isEqualTo(new StoreSpec.File(Path.of("/srv/a:b/c.img"), 0));
        assertThat(StoreSpec.parse("FILE:rel.img:1g")).isEqualTo(new StoreSpec.File(Path.of("rel.img"), 1L << 30));
    }

    @Test
    void readsOptionsBehindCommas() throws Exception {
        assertThat(StoreSpec.parse("file:/a.img:1GiB,direct,no-write-cache"))
                .isEqualTo(new StoreSpec.File(
                        Path.of("/a.img"),
                        1L << 30,
                        StoreOptions.DEFAULT.withDirect(true).withWriteCache(false)));
        assertThat(StoreSpec.parse("file:/a,b.img,read-only"))
                .isEqualTo(new StoreSpec.File(Path.of("/a,b.img"), 0, StoreOptions.DEFAULT.withReadOnly(true)));
        assertThat(StoreSpec.parse("block:/dev/sdb,no-thin"))
                .isEqualTo(new StoreSpec.Device(Path.of("/dev/sdb"), StoreOptions.DEFAULT.withThin(false)));
        assertThat(StoreSpec.parse("memory:1MiB,read-only")).isEqualTo(new StoreSpec.Memory(1 << 20, true));
        assertThat(StoreSpec.parse("null:1TiB")).isEqualTo(new StoreSpec.Null(1L << 40));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "disk:/x            | unknown kind of store 'disk'",
                "memory             | '' is no size",
                "memory:            | '' is no size",
                "memory:0           | '0' is no size",
                "memory:lots        | 'lots' is no size",
                "memory:-1MiB       | '-1MiB' is no size",
                "memory:9999999P    | '9999999P' is no size",
                "file:              | the path is missing",
                "file::10GiB        | the path is missing",
                "file:/x:10XB       | '10XB' is no size",
                "file:/x:0          | '0' is no size",
                "file:/x:1G,diretc  | '1G,diretc' is no size and 'diretc' is no option (those are read-only, direct",
                "memory:1M,direct   | a memory: store has no option but read-only",
                "null:1M,read-only  | a null: store has no options",
                "block:             | the path is missing; write block:/dev/NAME",
            })
    void saysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> StoreSpec.parse(text))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("LUN '" + text + "'")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "512, 512", "1024, 1KiB", "1536, 1536", "67108864, 64MiB", "10737418240, 10GiB"})
    void formatsSizesThatItReadsBack(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
        assertThat(ByteSize.parse(text)).isEqualTo(OptionalLong.of(bytes));
    }

    @Test
    void identifiesAFileByItsWholePath() throws Exception {
        assertThat(StoreSpec.parse("file:/a/../b.img:1GiB").identity()).isEqualTo("file:/b.img");
        assertThat(StoreSpec.parse("memory:1MiB").identity()).isEqualTo("memory");
    }
}

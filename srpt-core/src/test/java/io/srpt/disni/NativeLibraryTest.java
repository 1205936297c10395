package io.srpt.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.Needed;
import io.srpt.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeLibraryTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, META-INF/native/linux-x86_64/libdisni.so",
        "Linux, aarch64, META-INF/native/linux-aarch64/libdisni.so",
        "Mac OS X, arm64, META-INF/native/mac_os_x-aarch64/libdisni.so",
    })
    void isNamedAfterTheMachine(String system, String processor, String resource) {
        assertThat(NativeLibrary.resource(system, processor)).isEqualTo(resource);
    }

    @Test
    void aBuildWithoutItSaysWhatToInstall() {
        assertThatThrownBy(() -> NativeLibrary.unpack("META-INF/native/plan9-vax/libdisni.so"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("META-INF/native/plan9-vax/libdisni.so is not in the jar")
                .hasMessageContaining("librdmacm-dev")
                .hasMessageContaining("provider roce");
    }

    @Test
    void isUnpackedIntoAFileOfThisProcess() throws Exception {
        Needed.isThere(
                getClass().getClassLoader().getResource(NativeLibrary.resource()) != null,
                "the native library was not built: no C compiler or headers");
        Path first = NativeLibrary.unpack();
        Path second = NativeLibrary.unpack();
        assertThat(first).isNotEqualTo(second).isRegularFile();
        assertThat(Files.readAllBytes(first)).startsWith(0x7F, 'E', 'L', 'F');
    }

    @Test
    void loadsWithDisniWhereTheLibrariesAre() throws Exception {
        Needed.isThere(
                getClass().getClassLoader().getResource(NativeLibrary.resource()) != null,
                "the native library was not built: no C compiler or headers");
        Needed.isThere(addsExports(), "this JVM was started without --add-exports java.base/sun.nio.ch=ALL-UNNAMED");
        assertThat(Disni.provider()).isSameAs(Disni.provider());
        assertThat(Disni.provider().deviceNames()).doesNotContainNull();
    }

    private static boolean addsExports() {
        return Object.class.getModule().isExported("sun.nio.ch", NativeLibraryTest.class.getModule());
    }
}

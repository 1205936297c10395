package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.LogicalUnit;
import io.srpt.store.StoreSpec;
import io.srpt.store.StoreThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where disks are to keep their reservations. */
class ServedUnitsTest {
    private final StoreThreads threads = new StoreThreads("test", 1, 4);

    @AfterEach
    void endThreads() {
        threads.close();
    }

    private LogicalUnit open(Path stateDirectory) throws ServiceException {
        return new ServedUnits(threads, 1, stateDirectory).open(LunConfiguration.of(0, new StoreSpec.Memory(1 << 20)));
    }

    @Test
    void opensADiskAndLeavesTheStateDirectoryAlone(@TempDir Path directory) throws Exception {
        open(directory.resolve("state")).store().close();
        assertThat(directory).isEmptyDirectory();
        open(Path.of("")).store().close();
    }

    @Test
    void opensADiskWhereNothingCanBeKept(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        open(file).store().close();
    }

    @Test
    void opensNoDiskWhoseReservationsCannotBeRead(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("reservations"), "");
        assertThatThrownBy(() -> open(directory))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("Nothing can be kept");
    }

    @Test
    void opensNoDiskOfWhichItCannotBeReadWhetherItIsSanitized(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("media"), "");
        open(directory).store().close(); // memory is empty after a restart anyway
        StoreSpec file = StoreSpec.parse("file:" + directory.resolve("disk.img") + ":1MiB");
        assertThatThrownBy(() -> new ServedUnits(threads, 1, directory).open(LunConfiguration.of(0, file)))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("Nothing can be kept");
    }
}

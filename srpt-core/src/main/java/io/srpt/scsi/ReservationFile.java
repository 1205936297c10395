package io.srpt.scsi;

import io.srpt.store.StateFile;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreThreads;
import java.nio.file.Path;
import java.util.HexFormat;

/** Keeps the reservations of one disk in a file of their own, {@code naa.} and the identifier of the disk. */
public final class ReservationFile implements ReservationStore {
    private final StateFile file;
    private final String disk;
    private final ReservationState kept;

    private ReservationFile(StateFile file, String disk, ReservationState kept) {
        this.file = file;
        this.disk = disk;
        this.kept = kept;
    }

    /**
     * Reads what is kept in {@code folder} for the disk that {@code config} describes; the folder is made when there is
     * something to keep. May block.
     *
     * @throws StoreException if the folder cannot be used, or the file not be understood: who was kept from the disk would
     *     no longer be
     */
    public static ReservationFile open(Path folder, LogicalUnitConfig config, StoreThreads threads)
            throws StoreException {
        String disk = HexFormat.of().formatHex(config.naaIdentifier());
        StateFile file = StateFile.in(folder, "naa." + disk, threads);
        byte[] bytes = file.read();
        try {
            return new ReservationFile(
                    file, disk, bytes == null ? ReservationState.NONE : ReservationText.decode(disk, bytes));
        } catch (RuntimeException e) {
            throw new StoreException(
                    "The persistent reservations in " + file + " cannot be understood: " + e.getMessage()
                            + "; remove the file if they may be forgotten",
                    e);
        }
    }

    @Override
    public ReservationState kept() {
        return kept;
    }

    @Override
    public void keep(ReservationState state, StoreCompletion done) {
        if (state.persistent()) {
            file.replace(ReservationText.encode(disk, state), done);
        } else {
            file.delete(done);
        }
    }
}

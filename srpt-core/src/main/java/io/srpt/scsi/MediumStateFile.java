package io.srpt.scsi;

import io.srpt.store.StateFile;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreThreads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link MediumState} of one disk in a file of its own, {@code naa.} and the identifier of the disk, which is there
 * only while there is something to tell.
 *
 * <pre>
 *   srpt-medium 1 sanitize ause=0
 * </pre>
 */
public final class MediumStateFile implements MediumStateStore {
    private static final String HEADER = "srpt-medium 1 ";

    private final StateFile file;
    private final @Nullable MediumState kept;

    private MediumStateFile(StateFile file, @Nullable MediumState kept) {
        this.file = file;
        this.kept = kept;
    }

    /**
     * Reads what is kept in {@code folder} for the disk that {@code config} describes; the folder is made when there is
     * something to keep. May block.
     *
     * @throws StoreException if the folder cannot be used, or the file not be understood
     */
    public static MediumStateFile open(Path folder, LogicalUnitConfig config, StoreThreads threads)
            throws StoreException {
        StateFile file = StateFile.in(folder, "naa." + HexFormat.of().formatHex(config.naaIdentifier()), threads);
        byte[] bytes = file.read();
        return new MediumStateFile(file, bytes == null ? null : decode(file, bytes));
    }

    private static MediumState decode(StateFile file, byte[] bytes) throws StoreException {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        for (MediumState.Kind kind : MediumState.Kind.values()) {
            for (boolean mayExit : new boolean[] {false, true}) {
                MediumState state = new MediumState(kind, mayExit);
                if (text.equals(encode(state))) {
                    return state;
                }
            }
        }
        throw new StoreException("The state of a medium in " + file
                + " cannot be understood; remove the file if its disk may be read, whatever SANITIZE was to remove");
    }

    private static String encode(MediumState state) {
        return HEADER + state.kind().name().toLowerCase(Locale.ROOT) + " ause=" + (state.mayExit() ? 1 : 0) + "\n";
    }

    @Override
    public @Nullable MediumState kept() {
        return kept;
    }

    @Override
    public void keep(@Nullable MediumState state, StoreCompletion done) {
        if (state == null) {
            file.delete(done);
        } else {
            file.replace(encode(state).getBytes(StandardCharsets.US_ASCII), done);
        }
    }
}

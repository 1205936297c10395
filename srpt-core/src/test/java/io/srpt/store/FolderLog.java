package io.srpt.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records the system calls of a {@link StateFile}, and says what a power cut may leave of a file after any number of them: of the
 * changes of the folder that no {@code fsync} of it covers any number from the first on, and of a content that no {@code fsync}
 * of the file covers nothing, zeros, a part, or all.
 */
final class FolderLog implements FolderCalls {
    enum Kind {
        WRITE,
        SYNC,
        RENAME,
        DELETE,
        SYNC_FOLDER
    }

    record Call(Kind kind, Path path, @Nullable Path to, String content) {}

    /** A file, whatever it is called. */
    private static final class Inode {
        String content = "";
        Set<String> onDisk = new LinkedHashSet<>();
    }

    private record Entry(Path path, @Nullable Inode inode) {}

    final List<Call> calls = new ArrayList<>();
    int failAt = -1;

    private void add(Call call) throws IOException {
        if (calls.size() == failAt) {
            failAt = -1;
            throw new IOException("call " + calls.size() + " of the test");
        }
        calls.add(call);
    }

    @Override
    public void makeFolder(Path folder) {}

    @Override
    public void write(Path file, byte[] content) throws IOException {
        add(new Call(Kind.WRITE, file, null, new String(content, StandardCharsets.US_ASCII)));
    }

    @Override
    public void sync(Path file) throws IOException {
        add(new Call(Kind.SYNC, file, null, ""));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        add(new Call(Kind.RENAME, from, to, ""));
    }

    @Override
    public void delete(Path file) throws IOException {
        add(new Call(Kind.DELETE, file, null, ""));
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        add(new Call(Kind.SYNC_FOLDER, folder, null, ""));
    }

    /** What {@code file} may hold after a power cut behind the first {@code count} calls; empty: it is not there. */
    Set<Optional<String>> leftOf(Path file, int count) {
        Map<Path, Inode> now = new HashMap<>();
        List<List<Entry>> changes = new ArrayList<>();
        int durable = 0;
        for (Call call : calls.subList(0, count)) {
            Inode inode = now.get(call.path());
            switch (call.kind()) {
                case WRITE -> {
                    Inode written = inode == null ? new Inode() : inode;
                    if (inode == null) {
                        changes.add(List.of(new Entry(call.path(), written)));
                        now.put(call.path(), written);
                    }
                    written.content = call.content();
                    String half = call.content().substring(0, call.content().length() / 2);
                    written.onDisk.addAll(
                            List.of("", half, "\0".repeat(call.content().length()), call.content()));
                }
                case SYNC -> {
                    if (inode != null) {
                        inode.onDisk = new LinkedHashSet<>(Set.of(inode.content));
                    }
                }
                case RENAME -> {
                    Path to = Objects.requireNonNull(call.to());
                    now.remove(call.path());
                    now.put(to, Objects.requireNonNull(inode));
                    changes.add(List.of(new Entry(call.path(), null), new Entry(to, inode)));
                }
                case DELETE -> {
                    now.remove(call.path());
                    changes.add(List.of(new Entry(call.path(), null)));
                }
                case SYNC_FOLDER -> durable = changes.size();
            }
        }
        Set<Optional<String>> left = new LinkedHashSet<>();
        for (int kept = durable; kept <= changes.size(); kept++) {
            Map<Path, Inode> disk = new HashMap<>();
            for (List<Entry> change : changes.subList(0, kept)) {
                for (Entry entry : change) {
                    if (entry.inode() == null) {
                        disk.remove(entry.path());
                    } else {
                        disk.put(entry.path(), entry.inode());
                    }
                }
            }
            Inode inode = disk.get(file);
            if (inode == null) {
                left.add(Optional.empty());
            } else {
                inode.onDisk.forEach(content -> left.add(Optional.of(content)));
            }
        }
        return left;
    }
}

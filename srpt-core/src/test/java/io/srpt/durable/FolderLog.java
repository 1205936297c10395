package io.srpt.durable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A folder in memory that records its system calls, and says what a power cut may leave of a file behind any number of them: of the
 * changes of names that no {@code fsync} of the folder covers any number from the first on, since file systems keep their order,
 * and of a content that no {@code fsync} of the file covers nothing, zeros, a part, or all.
 */
final class FolderLog implements Folder {
    enum Kind {
        CREATE,
        SYNC_FILE,
        LINK,
        RENAME,
        DELETE,
        SYNC
    }

    /** {@code second} is the other name, or the content. */
    record Call(Kind kind, String name, String second) {}

    /** A file, whatever it is called. */
    private static final class Inode {
        final String content;
        Set<String> onDisk;

        Inode(String content) {
            this.content = content;
            onDisk = new LinkedHashSet<>(
                    List.of("", content.substring(0, content.length() / 2), "\0".repeat(content.length()), content));
        }
    }

    private record Entry(String name, Optional<Inode> inode) {}

    private final TreeMap<String, String> now = new TreeMap<>();
    private final List<Call> calls = new ArrayList<>();
    private boolean links = true;
    private int failAt = -1;

    /** As if the file system knew no second names. */
    FolderLog withoutLinks() {
        links = false;
        return this;
    }

    /** The call with this number, from 0, will fail, once. */
    void failAt(int call) {
        failAt = call;
    }

    /** What has been called and has changed something. */
    List<Call> calls() {
        return calls;
    }

    private void add(Kind kind, String name, String second) throws IOException {
        if (calls.size() == failAt) {
            failAt = -1;
            throw new IOException("injected at " + kind);
        }
        calls.add(new Call(kind, name, second));
    }

    private String content(String name) throws NoSuchFileException {
        String content = now.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return content;
    }

    private void mustBeFree(String name) throws FileAlreadyExistsException {
        if (now.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
    }

    @Override
    public void make() {}

    @Override
    public void create(String name, byte[] bytes) throws IOException {
        mustBeFree(name);
        String content = new String(bytes, StandardCharsets.ISO_8859_1);
        add(Kind.CREATE, name, content);
        now.put(name, content);
    }

    @Override
    public void syncFile(String name) throws IOException {
        add(Kind.SYNC_FILE, name, content(name));
    }

    @Override
    public void link(String name, String second) throws IOException {
        if (!links) {
            throw new IOException("no second names");
        }
        mustBeFree(second);
        add(Kind.LINK, name, second);
        now.put(second, content(name));
    }

    @Override
    public void rename(String name, String to) throws IOException {
        String content = content(name);
        add(Kind.RENAME, name, to);
        now.remove(name);
        now.put(to, content);
    }

    @Override
    public void delete(String name) throws IOException {
        if (now.containsKey(name)) {
            add(Kind.DELETE, name, "");
            now.remove(name);
        }
    }

    @Override
    public void sync() throws IOException {
        add(Kind.SYNC, "", "");
    }

    @Override
    public List<String> names(String prefix) {
        return now.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    @Override
    public boolean has(String name) {
        return now.containsKey(name);
    }

    @Override
    public byte[] read(String name) throws IOException {
        return content(name).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What the file {@code name} may hold after a power cut behind these {@code calls}; empty: it is not there. */
    static Set<Optional<String>> leftOf(String name, List<Call> calls) {
        Map<String, Inode> names = new HashMap<>();
        List<List<Entry>> changes = new ArrayList<>();
        int durable = 0;
        for (Call call : calls) {
            Optional<Inode> inode = Optional.ofNullable(names.get(call.name()));
            switch (call.kind()) {
                case CREATE -> changes.add(List.of(new Entry(call.name(), Optional.of(new Inode(call.second())))));
                case SYNC_FILE -> inode.ifPresent(synced -> synced.onDisk = Set.of(synced.content));
                case LINK -> changes.add(List.of(new Entry(call.second(), inode)));
                case RENAME ->
                    changes.add(List.of(new Entry(call.name(), Optional.empty()), new Entry(call.second(), inode)));
                case DELETE -> changes.add(List.of(new Entry(call.name(), Optional.empty())));
                case SYNC -> durable = changes.size();
            }
            if (!changes.isEmpty()) {
                apply(changes.getLast(), names);
            }
        }
        Set<Optional<String>> left = new LinkedHashSet<>();
        Map<String, Inode> disk = new HashMap<>();
        for (int kept = 0; kept <= changes.size(); kept++) {
            if (kept > 0) {
                apply(changes.get(kept - 1), disk);
            }
            if (kept >= durable) {
                Inode inode = disk.get(name);
                if (inode == null) {
                    left.add(Optional.empty());
                } else {
                    inode.onDisk.forEach(content -> left.add(Optional.of(content)));
                }
            }
        }
        return left;
    }

    private static void apply(List<Entry> change, Map<String, Inode> names) {
        for (Entry entry : change) {
            entry.inode().ifPresentOrElse(inode -> names.put(entry.name(), inode), () -> names.remove(entry.name()));
        }
    }
}

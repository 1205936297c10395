package io.srpt.service.save;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A folder in memory that records its system calls, and what a power cut may leave of it.
 *
 * <p>The bytes of a file are durable once it was synced; before that a file that has its name may be empty, cut or torn. The names are
 * durable once the folder was synced; of the calls on names since then, the disk has those up to any one of them, since file
 * systems keep their order.
 */
final class FolderLog implements Folder {
    /** Bytes of a file, and whether they are durable. */
    private static final class Node {
        final byte[] bytes;
        boolean durable;

        Node(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** The names after a call. */
    private record State(String call, TreeMap<String, Node> names, TreeMap<String, Boolean> durable) {}

    private TreeMap<String, Node> names = new TreeMap<>();
    private final List<State> states = new ArrayList<>();
    private int synced;
    private boolean links = true;
    private boolean syncs = true;
    private int failAt = -1;

    /** As if the file system knew no second names. */
    FolderLog withoutLinks() {
        links = false;
        return this;
    }

    /** As if syncing files did nothing. */
    FolderLog withoutSyncs() {
        syncs = false;
        return this;
    }

    /** The call with this number, from 0, fails. */
    void failAt(int call) {
        failAt = call;
    }

    /** What has been called. */
    List<String> calls() {
        return states.stream().map(State::call).toList();
    }

    /** How many states there are to cut at. */
    int size() {
        return states.size();
    }

    /**
     * The bytes of {@code name} after a power cut behind call {@code cut}, with the last {@code lost} calls on names not yet on disk;
     * null if there is no such file.
     */
    byte[] afterCut(String name, int cut, int lost, Random random) {
        int from = cut;
        for (int i = 0; i < lost && from > 0 && !states.get(from).call.startsWith("sync "); i++) {
            from--;
        }
        Node node = states.get(from).names.get(name);
        if (node == null) {
            return null;
        }
        // Durable or not at the time of the cut, whichever name led to it.
        boolean durable = states.get(cut).durable.getOrDefault(key(node), false);
        if (durable) {
            return node.bytes;
        }
        byte[] torn = new byte[random.nextInt(node.bytes.length + 1)];
        if (random.nextBoolean()) {
            System.arraycopy(node.bytes, 0, torn, 0, torn.length);
        }
        return torn;
    }

    private static String key(Node node) {
        return Integer.toHexString(System.identityHashCode(node));
    }

    private void called(String call) throws IOException {
        if (states.size() == failAt) {
            failAt = -1;
            throw new IOException("injected at " + call);
        }
    }

    private void record(String call) {
        TreeMap<String, Boolean> durable = new TreeMap<>();
        names.values().forEach(node -> durable.put(key(node), node.durable));
        states.stream()
                .flatMap(state -> state.names.values().stream())
                .forEach(node -> durable.put(key(node), node.durable));
        states.add(new State(call, new TreeMap<>(names), durable));
    }

    private Node node(String name) throws FileNotFoundException {
        Node node = names.get(name);
        if (node == null) {
            throw new FileNotFoundException(name);
        }
        return node;
    }

    @Override
    public void create(String name, byte[] bytes) throws IOException {
        called("create");
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        names.put(name, new Node(bytes.clone()));
        record("create " + name);
    }

    @Override
    public void syncFile(String name) throws IOException {
        called("syncFile");
        node(name).durable = syncs;
        record("syncFile " + name);
    }

    @Override
    public void link(String name, String second) throws IOException {
        called("link");
        if (!links) {
            throw new IOException("no second names");
        }
        if (names.containsKey(second)) {
            throw new FileAlreadyExistsException(second);
        }
        names.put(second, node(name));
        record("link " + name + " " + second);
    }

    @Override
    public void rename(String name, String to) throws IOException {
        called("rename");
        names.put(to, node(name));
        names.remove(name);
        record("rename " + name + " " + to);
    }

    @Override
    public void delete(String name) throws IOException {
        called("delete");
        if (names.remove(name) != null) {
            record("delete " + name);
        }
    }

    @Override
    public void sync() throws IOException {
        called("sync");
        synced = states.size();
        record("sync ." + synced);
    }

    @Override
    public List<String> names(String prefix) {
        return names.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    @Override
    public boolean has(String name) {
        return names.containsKey(name);
    }

    @Override
    public byte[] read(String name) throws IOException {
        return node(name).bytes.clone();
    }
}

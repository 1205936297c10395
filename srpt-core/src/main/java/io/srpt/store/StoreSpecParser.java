package io.srpt.store;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Reads a store as the operator writes it.
 *
 * <pre>
 * memory:SIZE[,read-only]                 null:SIZE
 * file:PATH[:SIZE][,OPTION]...            block:/dev/NAME[,OPTION]...
 * OPTION: read-only  direct  no-thin  no-write-cache
 * </pre>
 *
 * <p>The part after the last colon of a file's text is its size when it reads as one ({@link ByteSize}); a path that ends
 * so needs an explicit size behind it, and likewise one that ends in a comma and an option.
 */
final class StoreSpecParser {
    private static final String FORMS =
            "write memory:SIZE, file:PATH[:SIZE], block:/dev/NAME or null:SIZE, such as memory:64MiB";

    private final String text;

    private StoreSpecParser(String text) {
        this.text = text;
    }

    static StoreSpec parse(String text) throws StoreException {
        return new StoreSpecParser(text).parse();
    }

    private StoreSpec parse() throws StoreException {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon).toLowerCase(Locale.ROOT);
        return withOptions(kind, colon < 0 ? "" : text.substring(colon + 1));
    }

    /** Takes the options from the end, since a path may contain commas. */
    private StoreSpec withOptions(String kind, String rest) throws StoreException {
        int comma = rest.lastIndexOf(',');
        String option = comma < 0 ? "" : rest.substring(comma + 1).strip().toLowerCase(Locale.ROOT);
        if (!isOption(option)) {
            return plain(kind, rest);
        }
        StoreSpec spec = withOptions(kind, rest.substring(0, comma));
        try {
            return spec.with(apply(option, spec.options()));
        } catch (StoreException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isOption(String option) {
        return switch (option) {
            case "read-only", "direct", "no-thin", "no-write-cache" -> true;
            default -> false;
        };
    }

    private static StoreOptions apply(String option, StoreOptions options) {
        return switch (option) {
            case "read-only" -> options.withReadOnly(true);
            case "direct" -> options.withDirect(true);
            case "no-thin" -> options.withThin(false);
            default -> options.withWriteCache(false);
        };
    }

    private StoreSpec plain(String kind, String rest) throws StoreException {
        return switch (kind) {
            case "memory" -> new StoreSpec.Memory(size(rest));
            case "null" -> new StoreSpec.Null(size(rest));
            case "block" -> new StoreSpec.Device(path(rest, "block:/dev/NAME"), StoreOptions.DEFAULT);
            case "file" -> file(rest);
            default -> throw wrong("unknown kind of store '" + kind + "'; " + FORMS);
        };
    }

    private StoreSpec file(String rest) throws StoreException {
        int colon = rest.lastIndexOf(':');
        String tail = colon < 0 ? "" : rest.substring(colon + 1);
        boolean sized = ByteSize.parse(tail).isPresent();
        if (!sized && colon >= 0 && !tail.contains("/")) {
            throw wrong("'" + tail + "' is no size" + optionHint(tail) + "; write one such as 10GiB behind the last"
                    + " colon, or leave it out to use the file as it is");
        }
        Path path = path(sized ? rest.substring(0, colon) : rest, "file:PATH[:SIZE]");
        return new StoreSpec.File(path, sized ? size(tail) : 0);
    }

    private static String optionHint(String tail) {
        int comma = tail.indexOf(',');
        return comma < 0
                ? ""
                : " and '" + tail.substring(comma + 1)
                        + "' is no option (those are read-only, direct, no-thin, no-write-cache)";
    }

    private Path path(String path, String form) throws StoreException {
        if (path.isEmpty()) {
            throw wrong("the path is missing; write " + form);
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw wrong("'" + path + "' is no path: " + e.getReason());
        }
    }

    private long size(String size) throws StoreException {
        OptionalLong bytes = ByteSize.parse(size);
        if (bytes.isEmpty() || bytes.getAsLong() <= 0) {
            throw wrong("'" + size + "' is no size; write a positive one such as 64MiB or 10GiB");
        }
        return bytes.getAsLong();
    }

    private StoreException wrong(String what) {
        return new StoreException("LUN '" + text + "': " + what);
    }
}

package io.srpt.disni;

import io.srpt.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** The way to real RDMA devices. Nothing is loaded before it is asked for. Any thread. */
public final class Disni {
    private static final String PROVIDER = "io.srpt.disni.provider.NativeProvider";

    private static @Nullable DisniProvider loaded;

    private Disni() {}

    /**
     * The provider, loaded once a process.
     *
     * @throws VerbsException with what is missing and what to do about it
     */
    public static synchronized DisniProvider provider() throws VerbsException {
        DisniProvider provider = loaded;
        if (provider == null) {
            provider = load();
            loaded = provider;
        }
        return provider;
    }

    private static DisniProvider load() throws VerbsException {
        ClassLoader loader = new DisniClassLoader(NativeLibrary.unpack(), Disni.class.getClassLoader());
        try {
            return (DisniProvider)
                    Class.forName(PROVIDER, true, loader).getConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new VerbsException(
                    "the native library for RDMA hardware cannot be loaded: " + cause.getMessage()
                            + "; install libibverbs1, librdmacm1 and libibumad3 (Debian's names), and start Java with"
                            + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED --enable-native-access=ALL-UNNAMED, which"
                            + " `java -jar srpt.jar` does by itself",
                    e);
        }
    }
}

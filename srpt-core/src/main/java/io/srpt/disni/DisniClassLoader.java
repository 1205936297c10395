package io.srpt.disni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Loads DiSNI and the provider on it, all else its parent does.
 *
 * <p>DiSNI loads its library by name, which the JVM looks for in folders that were named when it started. A class loader may
 * say otherwise, and a library belongs to one class loader: so the classes that have native methods are loaded here.
 */
final class DisniClassLoader extends ClassLoader {
    private static final String[] OWN = {"com.ibm.disni.", "io.srpt.disni.provider."};

    static {
        registerAsParallelCapable();
    }

    private final Path library;

    DisniClassLoader(Path library, ClassLoader parent) {
        super("disni", parent);
        this.library = library;
    }

    @Override
    protected @Nullable String findLibrary(String name) {
        return name.equals("disni") ? library.toString() : null;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOwn(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private static boolean isOwn(String name) {
        for (String prefix : OWN) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length, DisniClassLoader.class.getProtectionDomain());
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}

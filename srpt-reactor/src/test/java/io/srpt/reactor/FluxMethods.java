package io.srpt.reactor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** Finds the methods of the API that return a publisher. */
final class FluxMethods {
    private FluxMethods() {}

    /** Public methods of public types of the packages below {@code io.srpt.reactor} that return a publisher. */
    static List<Method> ofTheApi() {
        List<Method> methods = new ArrayList<>();
        for (Class<?> type : publicTypes()) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && Publisher.class.isAssignableFrom(method.getReturnType())) {
                    methods.add(method);
                }
            }
        }
        return methods;
    }

    private static List<Class<?>> publicTypes() {
        try {
            Path root = Path.of(SrptStreams.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            List<Class<?>> types = new ArrayList<>();
            try (Stream<Path> files = Files.walk(root.resolve("io/srpt/reactor"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    String path = root.relativize(file).toString();
                    String name =
                            path.substring(0, path.length() - ".class".length()).replace('/', '.');
                    if (!name.endsWith("package-info")) {
                        Class<?> type = Class.forName(name);
                        if (Modifier.isPublic(type.getModifiers())) {
                            types.add(type);
                        }
                    }
                }
            }
            return types;
        } catch (URISyntaxException | java.io.IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** What {@code method} returns, on whichever object of {@code events} has it. */
    @SuppressWarnings("unchecked")
    static Flux<Object> call(Method method, PublishedEvents events, boolean ofPort) {
        Object on;
        if (method.getDeclaringClass() == SrptStreams.class) {
            on = ofPort
                    ? events.runtime().streams(PublishedEvents.PORT)
                    : events.runtime().streams();
        } else if (method.getDeclaringClass() == MadPortStreams.class) {
            on = events.madPort();
        } else {
            throw new IllegalStateException("No object for " + method + ": teach this test where to get one");
        }
        try {
            return (Flux<Object>) method.invoke(on);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}

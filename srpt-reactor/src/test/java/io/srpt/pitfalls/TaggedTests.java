package io.srpt.pitfalls;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the tests that have the tag of a pitfall, in class files, so that no class must be loaded. */
final class TaggedTests {
    private static final String TAG = "Lorg/junit/jupiter/api/Tag;";
    private static final String TAGS = "Lorg/junit/jupiter/api/Tags;";
    private static final String PREFIX = "pitfall-";

    private TaggedTests() {}

    /** A test method with a tag. */
    record Tagged(int number, String type, String method) {}

    /** Those of the classes below {@code folder}. */
    static List<Tagged> below(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        List<Tagged> found = new ArrayList<>();
        for (Path file : files) {
            ClassModel type = ClassFile.of().parse(file);
            for (MethodModel method : type.methods()) {
                method.findAttribute(Attributes.runtimeVisibleAnnotations())
                        .ifPresent(attribute ->
                                attribute.annotations().forEach(annotation -> add(annotation, type, method, found)));
            }
        }
        return found;
    }

    private static void add(Annotation annotation, ClassModel type, MethodModel method, List<Tagged> found) {
        String name = annotation.className().stringValue();
        for (AnnotationElement element : annotation.elements()) {
            if (name.equals(TAG)
                    && element.value() instanceof AnnotationValue.OfString tag
                    && tag.stringValue().startsWith(PREFIX)) {
                found.add(new Tagged(
                        Integer.parseInt(tag.stringValue().substring(PREFIX.length())),
                        type.thisClass().asInternalName().replace('/', '.'),
                        method.methodName().stringValue()));
            } else if (name.equals(TAGS) && element.value() instanceof AnnotationValue.OfArray tags) {
                for (AnnotationValue each : tags.values()) {
                    add(((AnnotationValue.OfAnnotation) each).annotation(), type, method, found);
                }
            }
        }
    }
}

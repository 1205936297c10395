package io.srpt.launcher;

import java.lang.reflect.InvocationTargetException;

/**
 * Main class of the runnable jar. Uses nothing newer than Java 8, and reaches the command line only by reflection: this
 * class must load where the rest of the jar cannot.
 */
public final class Main {
    static final int REQUIRED_FEATURE = 25;
    static final int EXIT_JAVA_TOO_OLD = 2;
    private static final String COMMAND_CLASS = "io.srpt.service.SrptCommand";

    private Main() {}

    /**
     * Runs the command line; on a Java older than 25 prints one line and exits with code 2.
     *
     * @throws Throwable what the command line throws
     */
    public static void main(String[] args) throws Throwable {
        String specification = System.getProperty("java.specification.version", "unknown");
        if (feature(specification) < REQUIRED_FEATURE) {
            System.err.println(complaint(specification, System.getProperty("java.home", "unknown")));
            System.exit(EXIT_JAVA_TOO_OLD);
        }
        try {
            Class.forName(COMMAND_CLASS).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The feature release of a specification version: 8 for "1.8", 17 for "17", 0 where it is not a number. */
    static int feature(String specificationVersion) {
        String number =
                specificationVersion.startsWith("1.") ? specificationVersion.substring(2) : specificationVersion;
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    static String complaint(String specificationVersion, String home) {
        return "srpt needs Java " + REQUIRED_FEATURE + " or newer, but this is Java " + specificationVersion + " in "
                + home
                + ": install a JDK " + REQUIRED_FEATURE + " (for example from https://adoptium.net)"
                + " and start its bin/java -jar srpt.jar";
    }
}

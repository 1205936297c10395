package io.srpt.service;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, which Maven writes into {@code version.properties}. */
public final class SrptVersion implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    /** The version, as in "0.1.0". */
    public static String version() {
        try (InputStream in = SrptVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks its resource " + RESOURCE);
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new IllegalStateException("Can't read the resource " + RESOURCE, e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"srpt " + version(), "Java " + Runtime.version()};
    }
}

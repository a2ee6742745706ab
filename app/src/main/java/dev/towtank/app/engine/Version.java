package dev.towtank.app.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Which versions these are.
public final class Version {
    public static final String TOWTANK = read();

    /// Whose API we serve.
    public static final String KUBERNETES = "v1.35";

    private Version() {}

    /// All that a report of a mistake should say.
    public static String line() {
        return "towtank " + TOWTANK + " (API of Kubernetes " + KUBERNETES + ", Java " + Runtime.version() + ")";
    }

    private static String read() {
        try (var in = Version.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is not in the jar");
            }
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

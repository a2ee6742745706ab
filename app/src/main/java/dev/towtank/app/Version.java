package dev.towtank.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Which versions these are.
final class Version {
    static final String TOWTANK = read();

    /// Whose API we serve.
    static final String KUBERNETES = "v1.35";

    private Version() {}

    /// All that a report of a mistake should say.
    static String line() {
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

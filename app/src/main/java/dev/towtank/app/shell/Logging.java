package dev.towtank.app.shell;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/// One line per event on standard error, and only what somebody should look at.
public final class Logging {
    private static final String SETTINGS = """
            handlers = java.util.logging.ConsoleHandler
            .level = WARNING
            java.util.logging.ConsoleHandler.level = ALL
            java.util.logging.SimpleFormatter.format = %1$tF %1$tT %4$s %3$s: %5$s%6$s%n
            """;

    private Logging() {}

    /// Settings that the user gave to the JVM are left alone.
    public static void configure() {
        configure("WARNING");
    }

    /// For a command whose output is for the user alone: only what nobody expects.
    public static void onlyErrors() {
        configure("SEVERE");
    }

    private static void configure(String level) {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        try {
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(
                            SETTINGS.replace("WARNING", level).getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

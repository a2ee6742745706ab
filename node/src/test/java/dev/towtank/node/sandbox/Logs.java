package dev.towtank.node.sandbox;

import dev.towtank.node.logs.ContainerLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads logs in tests.
final class Logs {

    private Logs() {}

    static ContainerLog.Query following() {
        return new ContainerLog.Query(true, false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    static String all(RunningProcess process) throws IOException {
        try (var in = process.log().read(ContainerLog.Query.all())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Waits for a line.
    static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c; (c = in.read()) >= 0 && c != '\n'; ) {
            line.append((char) c);
        }
        return line.toString();
    }
}

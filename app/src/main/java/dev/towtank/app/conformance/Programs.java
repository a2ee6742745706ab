package dev.towtank.app.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What this machine can run; containers see its programs.
final class Programs {

    private static final List<String> PLACES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private Programs() {}

    /// @param program its name, or the whole path
    static boolean isInstalled(String program) {
        return program.startsWith("/")
                ? Files.isExecutable(Path.of(program))
                : PLACES.stream()
                        .anyMatch(place -> Files.isExecutable(Path.of(place).resolve(program)));
    }
}

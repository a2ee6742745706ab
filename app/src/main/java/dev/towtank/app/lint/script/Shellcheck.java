package dev.towtank.app.lint.script;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// How shellcheck is asked.
final class Shellcheck {

    // Files that a script reads are not there; a script without a first line is what steps may have.
    private static final String PASSED_OVER = "--exclude=SC1090,SC1091,SC2148";

    private Shellcheck() {}

    /// @param program where it is, if it is installed
    static Optional<List<String>> command(Optional<Path> program, Collection<String> files) {
        var scripts = files.stream().filter(file -> !file.endsWith(".py")).toList();
        if (scripts.isEmpty()) {
            return Optional.empty();
        }
        return program.map(path -> {
            var command = new ArrayList<>(List.of(path.toString(), "--norc", "--format=json1", PASSED_OVER));
            command.addAll(scripts);
            return command;
        });
    }
}

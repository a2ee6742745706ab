package dev.towtank.controllers.planted;

import java.nio.file.Files;
import java.nio.file.Path;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class ReadsFile {
    boolean isThere() {
        return Files.exists(Path.of("somewhere"));
    }
}

package dev.towtank.model.planted;

import java.nio.file.Path;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record ReadsFile(Path read) {}

package dev.towtank.app.planted;

import dev.towtank.system.planted.Seen;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record SeesTests(Seen seen) {}

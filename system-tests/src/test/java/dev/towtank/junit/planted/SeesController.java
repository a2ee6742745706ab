package dev.towtank.junit.planted;

import dev.towtank.controllers.planted.Seen;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record SeesController(Seen seen) {}

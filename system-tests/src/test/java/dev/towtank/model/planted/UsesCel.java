package dev.towtank.model.planted;

import dev.cel.runtime.CelRuntime;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesCel(CelRuntime used) {}

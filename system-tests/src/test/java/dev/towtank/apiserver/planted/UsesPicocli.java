package dev.towtank.apiserver.planted;

import picocli.CommandLine;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesPicocli(CommandLine used) {}

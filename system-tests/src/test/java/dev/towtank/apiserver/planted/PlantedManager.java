package dev.towtank.apiserver.planted;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record PlantedManager() {}

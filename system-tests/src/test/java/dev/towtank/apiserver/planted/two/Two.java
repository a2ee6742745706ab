package dev.towtank.apiserver.planted.two;

import dev.towtank.apiserver.planted.one.One;

/// Half of a cycle, so that `WallsTest` sees the rule against cycles fail.
public record Two(One other) {}

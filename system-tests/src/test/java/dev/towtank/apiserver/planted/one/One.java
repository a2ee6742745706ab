package dev.towtank.apiserver.planted.one;

import dev.towtank.apiserver.planted.two.Two;

/// Half of a cycle, so that `WallsTest` sees the rule against cycles fail.
public record One(Two other) {}

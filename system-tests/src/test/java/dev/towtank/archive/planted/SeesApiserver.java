package dev.towtank.archive.planted;

import dev.towtank.apiserver.Api;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record SeesApiserver(Api seen) {}

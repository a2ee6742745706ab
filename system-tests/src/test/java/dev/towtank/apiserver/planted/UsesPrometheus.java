package dev.towtank.apiserver.planted;

import io.prometheus.metrics.core.metrics.Counter;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesPrometheus(Counter used) {}

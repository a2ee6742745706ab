package dev.towtank.model.planted;

import dev.towtank.cluster.Cluster;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record SeesCluster(Cluster seen) {}

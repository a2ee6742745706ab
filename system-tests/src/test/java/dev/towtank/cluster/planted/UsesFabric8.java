package dev.towtank.cluster.planted;

import io.fabric8.kubernetes.client.KubernetesClient;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesFabric8(KubernetesClient used) {}

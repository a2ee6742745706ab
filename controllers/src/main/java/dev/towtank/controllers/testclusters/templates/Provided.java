package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;
import java.util.Optional;

/// What stands behind an instance, as far as it is made.
///
/// @param object the ClusterDeployment, ClusterClaim or HostedCluster
/// @param isReady whether it runs
/// @param problem why it will never run; empty where it may
/// @param kubeconfig the Secret of its administrator, wherever that is; likewise the password
public record Provided(
        Resource object,
        boolean isReady,
        String state,
        Optional<String> problem,
        Optional<Resource> kubeconfig,
        Optional<Resource> password,
        String url) {}

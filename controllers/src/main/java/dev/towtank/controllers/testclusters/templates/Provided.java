package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;
import java.util.Optional;

/// What stands behind an instance, as far as it is made.
///
/// @param object the ClusterDeployment, ClusterClaim or HostedCluster
/// @param isReady whether it runs
/// @param state in words
/// @param problem why it will never run; empty where it may
/// @param lost why it will never run again; empty where it may
/// @param leftover what of it cannot be taken away; empty where all can
/// @param kubeconfig the Secret of its administrator, wherever that is; likewise the password
/// @param url where its API is
/// @param log what the making of it said
public record Provided(
        Resource object,
        boolean isReady,
        String state,
        Optional<String> problem,
        Optional<String> lost,
        Optional<String> leftover,
        Optional<Resource> kubeconfig,
        Optional<Resource> password,
        String url,
        String log) {

    static Provided waiting(Resource object, String state) {
        var none = Optional.<String>empty();
        return new Provided(object, false, state, none, none, none, Optional.empty(), Optional.empty(), "", "");
    }
}

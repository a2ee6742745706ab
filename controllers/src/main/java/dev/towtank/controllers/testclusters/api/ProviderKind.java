package dev.towtank.controllers.testclusters.api;

import java.util.List;

/// Who makes clusters, by the names that templates and deployments have for them.
public final class ProviderKind {

    /// On a ClusterTemplate, in place of an ApplicationSet, and on a ClusterDeployment.
    public static final String ANNOTATION = "towtank.dev/provider";

    /// A range of keys of this server; what everything is that says nothing.
    public static final String LOGICAL = "logical";

    /// One that is there already, by the Secret that [#KUBECONFIG_SECRET] names.
    public static final String KUBECONFIG = "kubeconfig";

    /// On a ClusterTemplate: a Secret in the namespace where clusters are made.
    public static final String KUBECONFIG_SECRET = "towtank.dev/kubeconfig-secret";

    /// Programs of this machine, which run only where whoever started the server allowed it.
    public static final List<String> PROGRAMS = List.of("kind", "k3d");

    private ProviderKind() {}
}

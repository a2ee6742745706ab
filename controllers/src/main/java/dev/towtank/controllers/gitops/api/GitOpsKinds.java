package dev.towtank.controllers.gitops.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds of Argo CD.
public final class GitOpsKinds {

    public static final String GROUP = "argoproj.io";

    public static final Kind<Json.Obj> APPLICATION =
            Kind.namespaced(GROUP, "v1alpha1", "Application", "applications").withStatus();
    public static final Kind<Json.Obj> PROJECT = Kind.namespaced(GROUP, "v1alpha1", "AppProject", "appprojects");

    /// Where settings and projects are.
    public static final String NAMESPACE = "argocd";

    private GitOpsKinds() {}
}

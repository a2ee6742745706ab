package dev.towtank.controllers.gitops.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

/// The kinds of Argo CD.
public final class GitOpsKinds {

    public static final String GROUP = "argoproj.io";

    public static final Kind<Json.Obj> APPLICATION =
            Kind.namespaced(GROUP, "v1alpha1", "Application", "applications").withStatus();
    public static final Kind<Json.Obj> PROJECT = Kind.namespaced(GROUP, "v1alpha1", "AppProject", "appprojects");

    public static final Kind<Json.Obj> APPLICATION_SET = Kind.namespaced(
                    GROUP, "v1alpha1", "ApplicationSet", "applicationsets")
            .withStatus();

    /// How an Argo CD is set up, by the operator of OpenShift.
    public static final Kind<Json.Obj> INSTANCE =
            Kind.namespaced(GROUP, "v1beta1", "ArgoCD", "argocds").withStatus();

    /// Where settings and projects are.
    public static final String NAMESPACE = "argocd";

    /// Where what is said in ArgoCD objects counts: those of others could change what everybody sees.
    public static final List<String> SETTINGS_NAMESPACES = List.of(NAMESPACE, "openshift-gitops");

    private GitOpsKinds() {}
}

package dev.towtank.controllers.testclusters.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds by which tenants ask for a place, or for a cluster, without knowing who makes it.
public final class SpaceKinds {

    /// Where tiers and the clusters that spaces are made in are described.
    public static final String HOST_NAMESPACE = "toolchain-host-operator";

    private static final String TOOLCHAIN = "toolchain.dev.openshift.com";

    public static final Kind<Json.Obj> CLUSTER =
            Kind.namespaced(TOOLCHAIN, "v1alpha1", "ToolchainCluster", "toolchainclusters");
    public static final Kind<Json.Obj> TIER =
            Kind.namespaced(TOOLCHAIN, "v1alpha1", "NSTemplateTier", "nstemplatetiers");
    public static final Kind<Json.Obj> TIER_TEMPLATE =
            Kind.namespaced(TOOLCHAIN, "v1alpha1", "TierTemplate", "tiertemplates");
    public static final Kind<Json.Obj> REQUEST =
            Kind.namespaced(TOOLCHAIN, "v1alpha1", "SpaceRequest", "spacerequests");

    /// Of the same name as the core kind, and in namespaces.
    public static final Kind<Json.Obj> NAMESPACE_CLAIM =
            Kind.namespaced("eaas.konflux-ci.dev", "v1alpha1", "Namespace", "namespaces");

    public static final Kind<Json.Obj> CLUSTER_CLAIM =
            Kind.namespaced("ci.openshift.org", "v1alpha1", "TestPlatformCluster", "testplatformclusters");

    private SpaceKinds() {}
}

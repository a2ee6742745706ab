package dev.towtank.controllers.testclusters.api;

import dev.towtank.cluster.Cache;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.List;

/// All kinds by which clusters are asked for and described.
public final class ClusterKinds {

    /// The server's own: a cluster at `/clusters/<name>`.
    public static final Kind<Json.Obj> LOGICAL = LogicalClusters.KIND;

    private static final String HIVE = "hive.openshift.io";

    public static final Kind<Json.Obj> IMAGE_SET =
            Kind.clusterScoped(HIVE, "v1", "ClusterImageSet", "clusterimagesets");
    public static final Kind<Json.Obj> DEPLOYMENT =
            Kind.namespaced(HIVE, "v1", "ClusterDeployment", "clusterdeployments");
    public static final Kind<Json.Obj> POOL = Kind.namespaced(HIVE, "v1", "ClusterPool", "clusterpools");
    public static final Kind<Json.Obj> CLAIM = Kind.namespaced(HIVE, "v1", "ClusterClaim", "clusterclaims");

    public static final Kind<Json.Obj> PROVISION = Kind.namespaced(HIVE, "v1", "ClusterProvision", "clusterprovisions");

    private static final String HYPERSHIFT = "hypershift.openshift.io";

    public static final Kind<Json.Obj> HOSTED =
            Kind.namespaced(HYPERSHIFT, "v1beta1", "HostedCluster", "hostedclusters");
    public static final Kind<Json.Obj> NODE_POOL = Kind.namespaced(HYPERSHIFT, "v1beta1", "NodePool", "nodepools");

    /// NodePools by namespace and name of their cluster.
    public static final Cache.Index POOLS_OF_CLUSTER = new Cache.Index(
            "hosted-cluster",
            pool -> List.of(pool.namespace() + "/" + pool.spec().string("clusterName")));

    private static final String TEMPLATES = "clustertemplate.openshift.io";

    public static final Kind<Json.Obj> TEMPLATE =
            Kind.clusterScoped(TEMPLATES, "v1alpha1", "ClusterTemplate", "clustertemplates");
    public static final Kind<Json.Obj> SETUP =
            Kind.clusterScoped(TEMPLATES, "v1alpha1", "ClusterTemplateSetup", "clustertemplatesetup");
    public static final Kind<Json.Obj> QUOTA =
            Kind.namespaced(TEMPLATES, "v1alpha1", "ClusterTemplateQuota", "clustertemplatequotas");
    public static final Kind<Json.Obj> INSTANCE =
            Kind.namespaced(TEMPLATES, "v1alpha1", "ClusterTemplateInstance", "clustertemplateinstances");
    public static final Kind<Json.Obj> CONFIG = Kind.clusterScoped(TEMPLATES, "v1alpha1", "Config", "config");

    private ClusterKinds() {}
}

package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.util.List;
import java.util.Optional;

/// The controllers of Hive's kinds, and where their facts come from.
public final class HiveControllers {

    private static final Cache.Index POOL = new Cache.Index("pool", HiveControllers::poolKey);

    private final Cluster cluster;
    private final Keys keys;
    private final Cache logical;
    private final Cache deployments;
    private final Cache pools;
    private final Cache claims;
    private final Cache provisions;
    private final Cache imageSets;
    private final Cache namespaces;
    private final Cache secrets;
    private final Cache roles;
    private final Cache bindings;

    public HiveControllers(Cluster cluster, Caches caches, Keys keys) {
        this.cluster = cluster;
        this.keys = keys;
        logical = caches.of(ClusterKinds.LOGICAL);
        deployments = caches.of(ClusterKinds.DEPLOYMENT);
        pools = caches.of(ClusterKinds.POOL);
        claims = caches.of(ClusterKinds.CLAIM);
        provisions = caches.of(ClusterKinds.PROVISION);
        imageSets = caches.of(ClusterKinds.IMAGE_SET);
        namespaces = caches.of(Namespaces.KIND);
        secrets = caches.of(Secrets.KIND);
        roles = caches.of(Roles.KIND);
        bindings = caches.of(RoleBindings.KIND);
    }

    public List<Controller<?, ?>> all() {
        return List.of(deployments(), pools(), claims());
    }

    private Controller<Json.Obj, DeploymentReconciler.Facts> deployments() {
        return Controller.of(
                        "clusterdeployment-controller",
                        ClusterKinds.DEPLOYMENT,
                        this::around,
                        new DeploymentReconciler())
                .wokenBy(Trigger.of(
                        ClusterKinds.LOGICAL, seen -> Delivery.ownerOf(seen, ClusterKinds.DEPLOYMENT.kind())))
                .wokenBy(Trigger.owned(Secrets.KIND, ClusterKinds.DEPLOYMENT))
                .wokenBy(Trigger.owned(ClusterKinds.PROVISION, ClusterKinds.DEPLOYMENT))
                .wokenBy(Trigger.of(
                        ClusterKinds.IMAGE_SET,
                        _ -> deployments.list().stream()
                                .filter(each -> !each.spec().flag("installed"))
                                .map(ObjectName::of)
                                .toList()))
                .doing(Delivery.Issue.class, keys::issue);
    }

    private DeploymentReconciler.Facts around(Observed<Json.Obj> observed) {
        var object = observed.object();
        return new DeploymentReconciler.Facts(
                facts(object),
                imageSet(object.spec().string("provisioning", "imageSetRef", "name")),
                namespaces.get(new ObjectName(LogicalCluster.DEFAULT, "", object.namespace())),
                provisions.by(Cache.Index.OWNER, object.uid()));
    }

    private Delivery.Facts facts(Resource owner) {
        var delivery = Delivery.of(owner);
        boolean isServed = cluster.hasLogicalClusters();
        return new Delivery.Facts(
                isServed ? made(ClusterKinds.LOGICAL, logical, delivery.object()) : Optional.empty(),
                secrets.get(ObjectName.of(owner.namespace(), delivery.kubeconfig())),
                secrets.get(ObjectName.of(owner.namespace(), delivery.password())),
                keys.address(),
                isServed);
    }

    /// What a cache has not seen yet is neither lost nor gone, so then the API itself is asked.
    private Optional<Resource> made(Kind<?> kind, Cache cache, ObjectName name) {
        return cache.get(name).or(() -> cluster.get(kind, name));
    }

    private Optional<Resource> imageSet(String name) {
        return imageSets.get(new ObjectName(LogicalCluster.DEFAULT, "", name));
    }

    private Controller<Json.Obj, PoolReconciler.Facts> pools() {
        return Controller.of("clusterpool-controller", ClusterKinds.POOL, this::poolFacts, new PoolReconciler())
                .wokenBy(Trigger.of(ClusterKinds.DEPLOYMENT, HiveControllers::poolOf))
                .wokenBy(Trigger.of(ClusterKinds.CLAIM, HiveControllers::poolOfClaim))
                .wokenBy(Trigger.of(
                        ClusterKinds.IMAGE_SET,
                        _ -> pools.list().stream().map(ObjectName::of).toList()));
    }

    /// From the API itself: what a cache has not seen yet would be made twice.
    private PoolReconciler.Facts poolFacts(Observed<Json.Obj> observed) {
        var pool = observed.object();
        return new PoolReconciler.Facts(
                listed(ClusterKinds.DEPLOYMENT, Selection.in(LogicalCluster.DEFAULT)).stream()
                        .filter(each -> new Deployment(each).isOf(pool))
                        .toList(),
                listed(ClusterKinds.CLAIM, Selection.in(LogicalCluster.DEFAULT, pool.namespace())),
                imageSet(pool.spec().string("imageSetRef", "name")).isPresent());
    }

    private List<Resource> listed(Kind<?> kind, Selection selection) {
        return cluster.list(kind, selection).items();
    }

    private static List<ObjectName> poolOf(Resource deployment) {
        var reference = deployment.spec().object("clusterPoolRef");
        return reference.has("poolName")
                ? List.of(ObjectName.of(reference.string("namespace"), reference.string("poolName")))
                : List.of();
    }

    private static List<ObjectName> poolOfClaim(Resource claim) {
        return List.of(ObjectName.of(claim.namespace(), claim.spec().string("clusterPoolName")));
    }

    private static List<String> poolKey(Resource claim) {
        return List.of(claim.namespace() + "/" + claim.spec().string("clusterPoolName"));
    }

    private Controller<Json.Obj, ClusterClaimReconciler.Facts> claims() {
        return Controller.of(
                        "clusterclaim-controller", ClusterKinds.CLAIM, this::claimFacts, new ClusterClaimReconciler())
                .wokenBy(Trigger.of(ClusterKinds.DEPLOYMENT, HiveControllers::claimOf))
                .wokenBy(Trigger.of(
                        ClusterKinds.POOL,
                        pool -> claims.by(POOL, pool.namespace() + "/" + pool.name()).stream()
                                .filter(claim ->
                                        claim.spec().string("namespace").isEmpty())
                                .map(ObjectName::of)
                                .toList()));
    }

    private static List<ObjectName> claimOf(Resource deployment) {
        var reference = deployment.spec().object("clusterPoolRef");
        return reference.has("claimName")
                ? List.of(ObjectName.of(reference.string("namespace"), reference.string("claimName")))
                : List.of();
    }

    private ClusterClaimReconciler.Facts claimFacts(Observed<Json.Obj> observed) {
        var claim = observed.object();
        var pool = ObjectName.of(claim.namespace(), claim.spec().string("clusterPoolName"));
        var namespace = claim.spec().string("namespace");
        var owner = ObjectName.of(namespace, "hive-claim-owner");
        int before = (int) claims.by(POOL, poolKey(claim).getFirst()).stream()
                .filter(each -> each.spec().string("namespace").isEmpty())
                .filter(each -> PoolClaims.OLDEST_FIRST.compare(each, claim) < 0)
                .count();
        return new ClusterClaimReconciler.Facts(
                pools.get(pool),
                namespace.isEmpty()
                        ? Optional.empty()
                        : made(ClusterKinds.DEPLOYMENT, deployments, ObjectName.of(namespace, namespace)),
                roles.get(owner),
                bindings.get(owner),
                before);
    }
}

package dev.towtank.controllers.testclusters;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.hive.HiveControllers;
import dev.towtank.controllers.testclusters.logical.PowerReconciler;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.controllers.testclusters.templates.TemplateControllers;
import dev.towtank.controllers.testclusters.templates.TemplateGate;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.Pods;
import java.util.ArrayList;
import java.util.List;

/// Clusters for tests, each a range of keys of this server.
public final class TestClustersFeature implements Feature {

    @Override
    public String name() {
        return "testclusters";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(TestClustersFeature.class, "crds/hive.yaml", "crds/templates.yaml", "crds/roles.yaml");
    }

    /// Clusters are made in the default cluster only: those that are handed over make none.
    @Override
    public boolean isEverywhere() {
        return false;
    }

    @Override
    public List<Gate> gates() {
        return List.of(new TemplateGate());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | towtank.dev | logicalclusters logicalclusters/status
                read create update patch delete | hive.openshift.io clustertemplate.openshift.io | *
                read patch | argoproj.io | applicationsets
                read | argoproj.io | applications
                read create update patch delete | core | secrets namespaces serviceaccounts
                create | core | serviceaccounts/token
                read | core | pods
                read create update patch delete bind escalate | rbac.authorization.k8s.io | roles rolebindings clusterroles clusterrolebindings
                create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var keys = new Keys(place.cluster(), place.ground());
        var controllers = new ArrayList<Controller<?, ?>>();
        controllers.addAll(new HiveControllers(place.cluster(), place.caches(), keys).all());
        controllers.addAll(new TemplateControllers(place.cluster(), place.caches()).all());
        controllers.add(power(place.caches().of(Pods.KIND)));
        return Running.of(controllers);
    }

    private static Controller<Json.Obj, Integer> power(Cache pods) {
        return Controller.of(
                        "logicalcluster-power",
                        ClusterKinds.LOGICAL,
                        observed ->
                                LogicalClusters.shouldSleep(observed.object().json())
                                        ? running(pods, observed.object().name())
                                        : 0,
                        new PowerReconciler())
                .wokenBy(Trigger.of(
                        Pods.KIND,
                        pod -> pod.cluster().equals(LogicalCluster.DEFAULT)
                                ? List.of()
                                : List.of(new ObjectName(
                                        LogicalCluster.DEFAULT,
                                        "",
                                        pod.cluster().id()))));
    }

    /// How many pods of a cluster have processes.
    private static int running(Cache pods, String cluster) {
        var id = new LogicalCluster(cluster);
        return (int) pods.list().stream()
                .filter(pod -> pod.cluster().equals(id)
                        && pod.status().objects("containerStatuses").stream()
                                .anyMatch(status -> status.object("state").has("running")))
                .count();
    }
}

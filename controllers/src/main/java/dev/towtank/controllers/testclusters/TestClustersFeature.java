package dev.towtank.controllers.testclusters;

import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.hive.HiveControllers;
import dev.towtank.controllers.testclusters.logical.PowerReconciler;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.controllers.testclusters.templates.TemplateControllers;
import dev.towtank.controllers.testclusters.templates.TemplateGate;
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
        controllers.add(Controller.of("logicalcluster-power", ClusterKinds.LOGICAL, _ -> 0, new PowerReconciler()));
        return Running.of(controllers);
    }
}

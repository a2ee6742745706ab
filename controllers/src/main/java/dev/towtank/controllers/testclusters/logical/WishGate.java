package dev.towtank.controllers.testclusters.logical;

import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.ClusterSnapshots;
import java.util.List;
import java.util.Optional;

/// A ClusterDeployment that is made for an instance of a template gets what the template wishes; the version of its
/// OpenShift is the one that the instance asks for.
public final class WishGate implements Gate {

    private static final String NAME = "clustertemplateinstance.openshift.io/name";
    private static final String NAMESPACE = "clustertemplateinstance.openshift.io/namespace";

    @Override
    public List<Kind<?>> kinds() {
        return List.of(ClusterKinds.DEPLOYMENT, ClusterKinds.TEMPLATE);
    }

    /// A snapshot that is not there is told to whoever names it, and not to those who wait for clusters.
    @Override
    public void check(Entry entry, World world) {
        var name = entry.resource().annotations().getOrDefault(Wishes.SNAPSHOT, "");
        var old = entry.old();
        boolean isNews = old == null
                || !old.string("metadata", "annotations", Wishes.SNAPSHOT).equals(name);
        if (isNews
                && !name.isEmpty()
                && world.get(ClusterSnapshots.KIND, new ObjectName(LogicalCluster.DEFAULT, "", name))
                        .isEmpty()) {
            throw KindBehaviour.denied(
                    "clustersnapshots.towtank.dev",
                    "annotation " + Wishes.SNAPSHOT + ": there is no ClusterSnapshot '" + name + "'");
        }
    }

    @Override
    public Json.Obj change(Entry entry, World world) {
        if (!entry.isCreation() || !entry.kind().kind().equals(ClusterKinds.DEPLOYMENT.kind())) {
            return entry.object();
        }
        var wishes = instance(entry.resource(), world)
                .map(instance -> wishes(instance, world))
                .orElse(Json.Obj.EMPTY);
        var result = entry.object();
        for (var wish : wishes) {
            var path = List.of("metadata", "annotations", wish.getKey());
            // What it says itself goes first.
            result = entry.resource().annotations().containsKey(wish.getKey())
                    ? result
                    : result.with(path, wish.getValue());
        }
        return result;
    }

    private static Optional<Resource> instance(Resource deployment, World world) {
        var labels = deployment.labels();
        return labels.containsKey(NAME) && labels.containsKey(NAMESPACE)
                ? world.get(ClusterKinds.INSTANCE, ObjectName.of(labels.get(NAMESPACE), labels.get(NAME)))
                : Optional.empty();
    }

    private static Json.Obj wishes(Resource instance, World world) {
        var name = new ObjectName(LogicalCluster.DEFAULT, "", instance.spec().string("clusterTemplateRef"));
        var wishes = world.get(ClusterKinds.TEMPLATE, name)
                .map(template -> Wishes.of(template.annotations()))
                .orElse(Json.Obj.EMPTY);
        return instance.spec().objects("parameters").stream()
                .filter(each -> each.string("name").equals("version"))
                .map(each -> each.string("value"))
                .filter(version -> wishes.has(Wishes.OPENSHIFT) && !version.isEmpty())
                .findFirst()
                .map(version -> wishes.with(Wishes.OPENSHIFT, Json.of(version)))
                .orElse(wishes);
    }
}

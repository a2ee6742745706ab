package dev.towtank.model.kinds;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;

/// `ClusterSnapshot`: what was in a logical cluster at one moment. LogicalClusters that name it begin with that.
public final class ClusterSnapshots {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "towtank.dev", "v1", "ClusterSnapshot", "clustersnapshots")
            .withRules(new Rules() {
                @Override
                public Names.Rule nameRule() {
                    return Names.Rule.DNS_LABEL;
                }

                @Override
                public boolean keepsStatusOnCreate() {
                    return true;
                }

                @Override
                public void validate(Json.Obj object, FieldError.Collector errors) {
                    var path = Path.of("spec", "cluster");
                    var cluster = object.string("spec", "cluster");
                    if (cluster.isEmpty()) {
                        errors.required(path, "the name of a LogicalCluster");
                    } else if (!LogicalCluster.isValid(cluster)) {
                        errors.invalid(path, cluster, "must be the name of a LogicalCluster");
                    } else if (cluster.equals(LogicalCluster.DEFAULT.id())) {
                        errors.invalid(
                                path, cluster, "the default cluster has the platform in it; snapshots are of others");
                    }
                }

                @Override
                public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
                    if (!object.object("spec").equals(old.object("spec"))) {
                        errors.invalid(Path.of("spec"), object.object("spec"), "field is immutable");
                    }
                }
            })
            .withStatus()
            .withColumns(
                    Column.ofName(),
                    Column.path("Cluster", "spec", "cluster"),
                    Column.path("Objects", "status", "objects"),
                    Column.ofAge());

    private ClusterSnapshots() {}
}

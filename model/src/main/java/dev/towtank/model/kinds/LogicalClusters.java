package dev.towtank.model.kinds;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import java.util.List;

/// `LogicalCluster`: an object of the default cluster for each further one. Creating it creates the cluster,
/// deleting it deletes the cluster with all that is in it.
public final class LogicalClusters {

    private static final String HIBERNATING = "Hibernating";
    private static final List<String> POWER_STATES = List.of("", "Running", HIBERNATING);

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "towtank.dev", "v1", "LogicalCluster", "logicalclusters")
            .withRules(new Rules() {
                @Override
                public Names.Rule nameRule() {
                    return Names.Rule.DNS_LABEL;
                }

                @Override
                public void validate(Json.Obj object, FieldError.Collector errors) {
                    var name = object.string("metadata", "name");
                    if (name.equals(LogicalCluster.DEFAULT.id())) {
                        errors.invalid(Path.of("metadata", "name"), name, "the default logical cluster always exists");
                    }
                    var power = object.string("spec", "powerState");
                    if (!POWER_STATES.contains(power)) {
                        errors.notSupported(Path.of("spec", "powerState"), Json.of(power), POWER_STATES.subList(1, 3));
                    }
                }
            })
            .withStatus()
            .withColumns(Column.ofName(), Column.path("Power", "status", "powerState"), Column.ofAge());

    private LogicalClusters() {}

    /// Whether somebody wants nothing of it to run.
    public static boolean shouldSleep(Json.Obj cluster) {
        return cluster.string("spec", "powerState").equals(HIBERNATING);
    }
}

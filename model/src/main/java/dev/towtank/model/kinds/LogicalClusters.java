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

    /// As many objects as a cluster may have that says nothing about it.
    public static final long MOST_OBJECTS = 50_000;

    private static final String HIBERNATING = "Hibernating";
    private static final List<String> POWER_STATES = List.of("", "Running", HIBERNATING);
    private static final String RESUME = "Resume";
    private static final List<String> ACCESSES = List.of("", "Refuse", RESUME);

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
                    var access = object.string("spec", "whileHibernating");
                    if (!ACCESSES.contains(access)) {
                        errors.notSupported(
                                Path.of("spec", "whileHibernating"), Json.of(access), ACCESSES.subList(1, 3));
                    }
                    if (object.object("spec").has("maxObjects") && object.integer("spec", "maxObjects") < 1) {
                        errors.invalid(
                                Path.of("spec", "maxObjects"),
                                Json.of(object.integer("spec", "maxObjects")),
                                "must be greater than 0");
                    }
                    var snapshot = snapshot(object);
                    if (!snapshot.isEmpty() && !Names.dnsLabel(snapshot).isEmpty()) {
                        errors.invalid(Path.of("spec", "snapshot"), snapshot, "must be the name of a ClusterSnapshot");
                    }
                }

                @Override
                public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
                    if (!snapshot(object).equals(snapshot(old))) {
                        errors.invalid(Path.of("spec", "snapshot"), snapshot(object), "field is immutable");
                    }
                }
            })
            .withStatus()
            .withColumns(Column.ofName(), Column.path("Power", "status", "powerState"), Column.ofAge());

    private LogicalClusters() {}

    /// How many objects it may have.
    public static long maxObjects(Json.Obj cluster) {
        return cluster.integerOr(MOST_OBJECTS, "spec", "maxObjects");
    }

    /// The ClusterSnapshot that it begins with; empty for none.
    public static String snapshot(Json.Obj cluster) {
        return cluster.string("spec", "snapshot");
    }

    /// Whether a request wakes it, instead of being refused.
    public static boolean wakesOnRequest(Json.Obj cluster) {
        return cluster.string("spec", "whileHibernating").equals(RESUME);
    }

    /// The same cluster with nothing to keep it asleep.
    public static Json.Obj awake(Json.Obj cluster) {
        return cluster.with(List.of("spec", "powerState"), Json.of("Running"));
    }

    /// Whether somebody wants nothing of it to run.
    public static boolean shouldSleep(Json.Obj cluster) {
        return cluster.string("spec", "powerState").equals(HIBERNATING);
    }
}

package dev.towtank.controllers.workloads.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.Optional;

/// The scales of objects whose kinds are defined by users, read as long as somebody asks.
public final class CustomScales implements AutoCloseable {

    private static final WriteOptions SCALE = WriteOptions.DEFAULT.on("scale").by("horizontal-pod-autoscaler");

    private final Cluster cluster;
    private final Outside<Question, Scaled> outside;

    private record Question(ObjectName name, String apiVersion, String kind) {}

    /// A scale as the API shows it, or why there is none.
    public record Scaled(Optional<Target> target, String problem) {
        private static Scaled none(String problem) {
            return new Scaled(Optional.empty(), problem);
        }
    }

    /// @param kind of the object that is scaled
    public record Target(Kind<?> kind, Resource scale) {}

    /// @param fresh how often they are read
    public CustomScales(Cluster cluster, Duration fresh, Timers timers) {
        this.cluster = cluster;
        this.outside =
                new Outside<>("scales of custom kinds", this::read, Outside.Limits.USUAL.freshFor(fresh), timers);
    }

    /// Wakes those who asked when there is something new.
    public Outside<?, ?> waker() {
        return outside;
    }

    /// Empty while nothing is known yet.
    public Optional<Scaled> of(ObjectName asker, ObjectName name, String apiVersion, String kind) {
        return outside.ask(asker, new Question(name, apiVersion, kind)).newest();
    }

    private Scaled read(Question question) {
        try {
            var kind = kind(question);
            if (kind.isEmpty()) {
                return Scaled.none(
                        "no matches for kind \"" + question.kind + "\" in group \"" + group(question) + "\"");
            }
            // A change of nothing that is only tried answers with the scale, and needs no right to read whole objects.
            var nothing = new Patch.Merge(Json.Obj.EMPTY);
            var options = new WriteOptions(SCALE.subresource(), SCALE.fieldManager(), true, false);
            var scale = cluster.patch(kind.get(), question.name, nothing, options);
            LabelSelector.parse(scale.status().string("selector")); // which users write, and may be no selector
            return new Scaled(Optional.of(new Target(kind.get(), scale)), "");
        } catch (StatusError e) {
            return Scaled.none(e.text());
        }
    }

    private static String group(Question question) {
        var version = question.apiVersion;
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    private Optional<Kind<Json.Obj>> kind(Question question) {
        var definitions = cluster.list(CustomResourceDefinitions.KIND, Selection.in(question.name.cluster()))
                .items();
        return DefinedKinds.find(definitions.stream().map(Resource::json), question.apiVersion, question.kind);
    }

    /// Sets the number of replicas.
    public Json scale(ObjectName name, Kind<?> kind, long replicas) {
        var wanted = Json.Obj.of("spec", Json.Obj.of("replicas", Json.of(replicas)));
        return cluster.patch(kind, name, new Patch.Merge(wanted), SCALE).json();
    }

    @Override
    public void close() {
        outside.close();
    }
}

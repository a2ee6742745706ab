package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What lives of what repositories want, and what the server would make of the rest. It asks the server itself, not a
/// cache: a sync must not go on from what was.
final class LiveObjects {

    /// Whom the fields belong to that a repository sets.
    static final String MANAGER = "argocd-controller";

    private static final int REMEMBERED = 20_000;

    private final Cluster cluster;
    private final KnownKinds kinds;
    private final Company company;
    private final InstantSource clock;
    private final Map<Asked, Json.Obj> predictions = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Json.Obj> eldest) {
            return size() > REMEMBERED;
        }
    });

    /// What is applied to which state of which object, always with the same result.
    private record Asked(String uid, String version, Json.Obj target) {}

    /// Who else has to do with what is looked at.
    interface Company {

        /// Objects of this kind are among what is wanted.
        void meet(Kind<?> kind);

        /// What a failed object's pods wrote last; empty where nothing is known.
        String lastWords(LogicalCluster place, Json.Obj object);

        /// Whether an object was only made for the look itself, so that it is as if it was not there.
        default boolean isProp(ResourceKey key) {
            return false;
        }
    }

    LiveObjects(Cluster cluster, KnownKinds kinds, Company company, InstantSource clock) {
        this.cluster = cluster;
        this.kinds = kinds;
        this.company = company;
        this.clock = clock;
    }

    Optional<Kind<?>> kind(LogicalCluster place, String apiVersion, String kind) {
        return kinds.find(place, apiVersion, kind);
    }

    /// The target with the namespace that it goes to, where it names none.
    Json.Obj placed(LogicalCluster place, Json.Obj target, String namespace) {
        boolean isNamespaced = kind(place, target.string("apiVersion"), target.string("kind"))
                .map(Kind::isNamespaced)
                .orElse(true);
        var metadata = target.object("metadata");
        if (!isNamespaced) {
            return target.with("metadata", metadata.without("namespace"));
        }
        return metadata.string("namespace").isEmpty() && !namespace.isEmpty()
                ? target.with(List.of("metadata", "namespace"), Json.of(namespace))
                : target;
    }

    /// @param isRespecting whether what is not compared is not changed either
    Managed wanted(
            LogicalCluster place, Json.Obj wanted, Differences differences, boolean isRespecting, HealthRules rules) {
        var key = ResourceKey.of(wanted);
        var kind = kind(place, wanted.string("apiVersion"), key.kind());
        if (kind.isEmpty()) {
            return new Managed(
                    key, Optional.of(wanted), Optional.empty(), Optional.empty(), Optional.of(unknown(key)), false);
        }
        company.meet(kind.get());
        var live = cluster.get(kind.get(), name(place, key)).map(Resource::json).filter(_ -> !company.isProp(key));
        var health = live.flatMap(object -> rules.of(object, clock.instant()).map(it -> told(place, object, it)));
        var target = isRespecting && live.isPresent() ? differences.respected(wanted, live.get()) : wanted;
        try {
            var predicted = predicted(kind.get(), place, target, live);
            boolean isSynced = live.isPresent() && differences.areNone(live.get(), predicted);
            return new Managed(key, Optional.of(target), live, health, Optional.empty(), isSynced);
        } catch (StatusError e) {
            return new Managed(key, Optional.of(target), live, health, Optional.of(refusal(e)), false);
        }
    }

    /// What lives when the target is applied; empty where the server would not take it.
    Optional<Json.Obj> predicted(LogicalCluster place, Json.Obj target) {
        try {
            return kind(place, target.string("apiVersion"), target.string("kind"))
                    .map(kind -> predicted(kind, place, target, Optional.empty()));
        } catch (StatusError e) {
            return Optional.empty();
        }
    }

    /// Why a job or a run failed is in the last lines that it wrote.
    private Health told(LogicalCluster place, Json.Obj object, Health health) {
        if (!health.is(Health.Code.DEGRADED)) {
            return health;
        }
        var words = company.lastWords(place, object);
        return words.isEmpty() ? health : Health.degraded(health.message() + ": " + words);
    }

    private static Refusal unknown(ResourceKey key) {
        return new Refusal(
                Refusal.Cause.UNKNOWN_KIND,
                "The Kubernetes API could not find %s/%s for requested resource %s/%s. Make sure the \"%s\" CRD is installed on the destination cluster."
                        .formatted(key.group(), key.kind(), key.namespace(), key.name(), key.kind()));
    }

    private static Refusal refusal(StatusError error) {
        boolean isNamespace = error.is(StatusError.Reason.NOT_FOUND)
                && error.details().string("kind").equals("namespaces");
        return new Refusal(isNamespace ? Refusal.Cause.NO_NAMESPACE : Refusal.Cause.REFUSED, error.text());
    }

    private Json.Obj predicted(Kind<?> kind, LogicalCluster place, Json.Obj target, Optional<Json.Obj> live) {
        var asked = live.map(object ->
                new Asked(object.string("metadata", "uid"), object.string("metadata", "resourceVersion"), target));
        var known = asked.map(predictions::get);
        if (known.isPresent()) {
            return known.get();
        }
        var predicted = cluster.patch(
                        kind,
                        name(place, ResourceKey.of(target)),
                        new Patch.Apply(target),
                        new Cluster.WriteOptions("", MANAGER, true, true))
                .json();
        asked.ifPresent(question -> predictions.put(question, predicted));
        return predicted;
    }

    /// An object of which only its name is known.
    Optional<Managed> found(LogicalCluster place, ResourceKey key, String version, HealthRules rules) {
        var apiVersion = key.group().isEmpty() ? version : key.group() + "/" + version;
        return kind(place, apiVersion, key.kind()).flatMap(kind -> {
            company.meet(kind);
            return cluster.get(kind, name(place, key))
                    .map(Resource::json)
                    .map(live -> new Managed(
                            key,
                            Optional.empty(),
                            Optional.of(live),
                            rules.of(live, clock.instant()),
                            Optional.empty(),
                            false));
        });
    }

    private static ObjectName name(LogicalCluster place, ResourceKey key) {
        return new ObjectName(place, key.namespace(), key.name());
    }
}

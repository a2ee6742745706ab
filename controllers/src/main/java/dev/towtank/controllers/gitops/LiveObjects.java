package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.MissingRight;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What lives of what repositories want, and what the server would make of the rest. It asks the server itself, not a
/// cache: a sync must not go on from what was.
final class LiveObjects {

    /// Whom the fields belong to that a repository sets.
    static final String MANAGER = "argocd-controller";

    private static final int REMEMBERED = 20_000;

    /// A sync looks at what it is to create several times before it does. That the server would take it is believed for
    /// so
    /// long; whether it does is seen when it is applied.
    private static final Duration BELIEVED = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final KnownKinds kinds;
    private final Company company;
    private final InstantSource clock;
    // By uid: of an object only its newest state is asked about.
    private final Map<String, Prediction> predictions = remembered();
    private final Map<Tried, Instant> accepted = remembered();

    /// What is applied to which state of an object, always with the same result.
    private record Prediction(String version, Json.Obj target, Json.Obj result) {
        boolean isOf(Json.Obj object, Json.Obj wanted) {
            return version.equals(object.string("metadata", "resourceVersion")) && target.equals(wanted);
        }
    }

    /// What is not there yet, and where it is to go.
    private record Tried(LogicalCluster place, Json.Obj target) {}

    private static <K, V> Map<K, V> remembered() {
        return Collections.synchronizedMap(BoundedMap.byAge(REMEMBERED));
    }

    /// Who else has to do with what is looked at.
    interface Company {

        /// Objects of this kind are among what is wanted.
        void meet(LogicalCluster place, Kind<?> kind);

        /// What a failed object's pods wrote last; empty where nothing is known.
        String lastWords(LogicalCluster place, Json.Obj object);

        /// What a running object's pods wrote so far, the end of it.
        default String wordsSoFar(LogicalCluster place, Json.Obj object) {
            return "";
        }

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

    Instant now() {
        return clock.instant();
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
        company.meet(place, kind.get());
        var live = cluster.get(kind.get(), name(place, key)).map(Resource::json).filter(_ -> !company.isProp(key));
        var health = live.flatMap(object -> rules.of(object, clock.instant()).map(it -> told(place, object, it)));
        var target = isRespecting && live.isPresent() ? differences.respected(wanted, live.get()) : wanted;
        try {
            if (live.isEmpty()) {
                tryOut(kind.get(), place, target);
            }
            boolean isSynced =
                    live.isPresent() && differences.areNone(live.get(), predicted(kind.get(), place, target, live));
            return new Managed(key, Optional.of(target), live, health, Optional.empty(), isSynced);
        } catch (StatusError e) {
            return new Managed(key, Optional.of(target), live, health, Optional.of(refusal(e)), false);
        }
    }

    private void tryOut(Kind<?> kind, LogicalCluster place, Json.Obj target) {
        var question = new Tried(place, target);
        var before = accepted.get(question);
        if (before == null || isOver(before)) {
            predicted(kind, place, target, Optional.empty());
            synchronized (accepted) {
                accepted.remove(question); // so that it becomes the youngest
                forgetOldest();
                accepted.put(question, clock.instant());
            }
        }
    }

    private boolean isOver(Instant tried) {
        return tried.plus(BELIEVED).isBefore(clock.instant());
    }

    private void forgetOldest() {
        var oldest = accepted.values().iterator();
        while (oldest.hasNext() && isOver(oldest.next())) {
            oldest.remove();
        }
    }

    /// How many objects the server is believed to take.
    int believed() {
        return accepted.size();
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
        return switch (health.status()) {
            case DEGRADED -> with(health, company.lastWords(place, object));
            case PROGRESSING -> Marks.isHook(object) ? refused(health, company.wordsSoFar(place, object)) : health;
            case HEALTHY, SUSPENDED, MISSING, UNKNOWN -> health;
        };
    }

    private static Health with(Health health, String words) {
        return words.isEmpty() ? health : Health.of(health.status(), health.message() + ": " + words);
    }

    /// A hook that is refused what it tries may try for ever.
    private static Health refused(Health health, String words) {
        return MissingRight.in(words).isPresent() ? with(health, words) : health;
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
        var known = live.flatMap(object -> Optional.ofNullable(predictions.get(object.string("metadata", "uid"))))
                .filter(each -> each.isOf(live.orElseThrow(), target));
        if (known.isPresent()) {
            return known.get().result();
        }
        var predicted = cluster.patch(
                        kind,
                        name(place, ResourceKey.of(target)),
                        new Patch.Apply(target),
                        new Cluster.WriteOptions("", MANAGER, true, true))
                .json();
        live.ifPresent(object -> predictions.put(
                object.string("metadata", "uid"),
                new Prediction(object.string("metadata", "resourceVersion"), target, predicted)));
        return predicted;
    }

    /// The object is gone.
    void forget(String uid) {
        predictions.remove(uid);
    }

    /// An object of which only its name is known.
    Optional<Managed> found(LogicalCluster place, ResourceKey key, String version, HealthRules rules) {
        var apiVersion = key.group().isEmpty() ? version : key.group() + "/" + version;
        return kind(place, apiVersion, key.kind()).flatMap(kind -> {
            company.meet(place, kind);
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

package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.secrets.PushFacts.Source;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Brings a Secret to where stores lead.
final class PushSecretReconciler implements Reconciler<Json.Obj, PushFacts> {

    static final String FINALIZER = "pushsecret.externalsecrets.io/finalizer";

    private static final Kind<Json.Obj> KIND = SecretKinds.PUSH_SECRET;

    private final Chance chance;

    PushSecretReconciler(Chance chance) {
        this.chance = chance;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, PushFacts facts, Instant now) {
        var object = observed.object();
        boolean takesBack = object.spec().string("deletionPolicy").equals("Delete");
        boolean isMarked = object.finalizers().contains(FINALIZER);
        if (object.isDeleting() && !isMarked) {
            return Plan.NONE;
        }
        if (!object.isDeleting() && takesBack && !isMarked) {
            return Plan.NONE.patch(KIND, object, Finalizers.with(object, FINALIZER));
        }
        if (!takesBack && isMarked) {
            return Plan.NONE.patch(KIND, object, Finalizers.without(object, FINALIZER));
        }
        return facts.isAwaited() ? Plan.NONE : new Look(object, facts, now, observed.problem()).plan();
    }

    /// One look at one PushSecret.
    private final class Look {
        private final Resource object;
        private final PushFacts facts;
        private final Instant now;
        private final Optional<String> problem;
        private final Refresh refresh;
        private final PushPlan pushes;

        Look(Resource object, PushFacts facts, Instant now, Optional<String> problem) {
            this.object = object;
            this.facts = facts;
            this.now = now;
            this.problem = problem;
            this.refresh = new Refresh(object);
            this.pushes = new PushPlan(object);
        }

        Plan plan() {
            try {
                if (object.isDeleting()) {
                    pushes.takeBack(facts.old(), Map.of());
                    return pushes.plan().patch(KIND, object, Finalizers.without(object, FINALIZER));
                }
                return switch (facts.sources()) {
                    case PushFacts.Sources.Awaited _ -> Plan.NONE;
                    case PushFacts.Sources.Unusable(var cause) -> failed(cause);
                    case PushFacts.Sources.Missing _ -> sourceMissing();
                    case PushFacts.Sources.Found(var all) -> pushed(all);
                };
            } catch (ReadProblem e) {
                return failed((object.isDeleting() ? "Failed to Delete Secrets from Provider: " : "") + e.text());
            }
        }

        private Plan sourceMissing() {
            boolean takesBack = object.spec().string("deletionPolicy").equals("Delete")
                    && object.status().object("syncedPushSecrets").size() > 0;
            if (!takesBack) {
                return Ready.of(object.status()).reason().equals("SourceDeleted")
                        ? Plan.NONE
                        : failed("could not get source secret");
            }
            pushes.takeBack(facts.old(), Map.of());
            var gone = Ready.no("SourceDeleted", "source secret deleted; provider secrets cleaned up");
            var status =
                    gone.in(object.status(), now).without("syncedPushSecrets").without("sourceHash");
            return pushes.plan()
                    .setStatus(KIND, object, status)
                    .then(Change.Event.normal(object, gone.reason(), gone.message()));
        }

        private Plan pushed(List<Source> sources) {
            var hash = PushPlan.hash(sources);
            boolean isChanged = !hash.equals(object.status().string("sourceHash"));
            if (!refresh.isDue(now) && !(isChanged && refresh.followsSource() && !hasGenerator())) {
                return refresh.next(now).map(Plan::lookAgainAt).orElse(Plan.NONE);
            }
            if (facts.stores().isEmpty()) {
                return Plan.NONE;
            }
            var synced = new TreeMap<String, Json.Obj>();
            for (var source : sources) {
                var made = templated(source);
                facts.stores().forEach(store -> pushes.push(store, made, synced));
            }
            if (object.spec().string("deletionPolicy").equals("Delete")) {
                pushes.takeBack(facts.old(), synced);
            }
            return done(synced, hash);
        }

        private boolean hasGenerator() {
            return object.spec().object("selector").has("generatorRef");
        }

        private Source templated(Source source) {
            if (!(object.spec().get("template") instanceof Json.Obj template)) {
                return source;
            }
            var ambient = chance.of(object.uid(), refresh.last().orElse(Instant.EPOCH));
            var filled = TargetTemplate.fill(template, source.data(), facts.templates(), ambient);
            var data = new TreeMap<>(source.data());
            data.putAll(filled.data());
            var labels = new TreeMap<>(source.labels());
            labels.putAll(filled.labels());
            var annotations = new TreeMap<>(source.annotations());
            annotations.putAll(filled.annotations());
            return new Source(template.string("type"), data, labels, annotations);
        }

        private Plan done(Map<String, Json.Obj> synced, String hash) {
            var message = "PushSecret synced successfully"
                    + (object.spec().string("updatePolicy").equals("IfNotExists")
                            ? ". Existing secrets in providers unchanged."
                            : "");
            var ready = Ready.yes("Synced", message);
            var pushed = Json.Obj.builder();
            synced.forEach(pushed::put);
            var status = ready.in(object.status(), now)
                    .with("syncedPushSecrets", pushed.build())
                    .with("sourceHash", Json.of(hash))
                    .with("refreshTime", Json.of(Timestamps.seconds(now)))
                    .with("syncedResourceVersion", Json.of(Hashes.version(object)));
            var first = problem.map(this::failed).orElse(Plan.NONE);
            var plan = first.then(pushes.plan())
                    .setStatus(KIND, object, status)
                    .then(Change.Event.normal(object, ready.reason(), message));
            return refresh.interval().isPositive() ? plan.then(Plan.lookAgainAt(now.plus(refresh.interval()))) : plan;
        }

        private Plan failed(String message) {
            var ready = Ready.no("Errored", message);
            var status = ready.in(object.status(), now);
            var plan = object.status().equals(status)
                    ? Plan.NONE
                    : Plan.NONE
                            .setStatus(KIND, object, status)
                            .then(Change.Event.warning(object, ready.reason(), message));
            return plan.then(Plan.lookAgainAt(now.plus(Ready.of(status).pause(now))));
        }
    }
}

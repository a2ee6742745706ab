package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.secrets.TargetTemplate.Filled;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.reading.Reading;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Keeps a Secret as its source is.
///
/// Conditions say what External Secrets says, which is little where something fails; the whole cause is in an event
/// and
/// in `status.cause`.
final class ExternalSecretReconciler implements Reconciler<Json.Obj, ExternalSecretFacts> {

    static final String FINALIZER = "externalsecrets.external-secrets.io/externalsecret-cleanup";

    private static final Kind<Json.Obj> KIND = SecretKinds.EXTERNAL_SECRET;
    private static final String FAILED = "SecretSyncedError";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Chance chance;

    ExternalSecretReconciler(Chance chance) {
        this.chance = chance;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, ExternalSecretFacts facts, Instant now) {
        var source = observed.object();
        if (source.isDeleting()) {
            return removed(source, facts);
        }
        if (!source.finalizers().contains(FINALIZER)) {
            return Plan.NONE.patch(KIND, source, Finalizers.with(source, FINALIZER));
        }
        if (!facts.isOurs()) {
            return Plan.NONE;
        }
        return new Look(source, facts, now, observed.problem()).plan();
    }

    /// What it owns goes by itself when it is gone.
    private static Plan removed(Resource source, ExternalSecretFacts facts) {
        if (!source.finalizers().contains(FINALIZER)) {
            return Plan.NONE;
        }
        var plan = Plan.NONE;
        if (source.spec().string("target", "deletionPolicy").equals("Delete")) {
            plan = facts.target()
                    .filter(secret -> secret.controller()
                            .filter(owner -> owner.uid().equals(source.uid()))
                            .isPresent())
                    .map(secret -> Plan.NONE.delete(Secrets.KIND, secret))
                    .orElse(plan);
        }
        return plan.patch(KIND, source, Finalizers.without(source, FINALIZER));
    }

    /// One look at one ExternalSecret.
    private final class Look {
        private final Resource source;
        private final ExternalSecretFacts facts;
        private final Instant now;
        private final Optional<String> problem;
        private final Refresh refresh;
        private final SecretTarget target;
        private final boolean isDue;

        Look(Resource source, ExternalSecretFacts facts, Instant now, Optional<String> problem) {
            this.source = source;
            this.facts = facts;
            this.now = now;
            this.problem = problem;
            this.refresh = new Refresh(source);
            this.target = new SecretTarget(source, facts.target());
            this.isDue = refresh.isDue(now);
        }

        Plan plan() {
            boolean isWatched = facts.isWatched() && refresh.followsSource();
            if (!isDue && !isWatched && target.isUntouched()) {
                return resting(Plan.NONE);
            }
            return switch (facts.reading()) {
                case Reading.Awaited _ -> Plan.NONE;
                // The moment came while facts were gathered.
                case Reading.NotDue _ -> isDue ? Plan.lookAgainAt(now.plus(SOON)) : resting(Plan.NONE);
                case Reading.Failed(var cause) -> failed("could not get secret data from provider", cause);
                case Reading.Values values when values.values().isEmpty() -> empty(values);
                case Reading.Values values -> synced(values);
            };
        }

        private Plan empty(Reading.Values values) {
            return switch (source.spec().string("target", "deletionPolicy")) {
                case "Delete" -> deleted(values);
                case "Merge" -> synced(values);
                default -> done("SecretSynced", "secret retained due to DeletionPolicy=Retain", List.of(), List.of());
            };
        }

        private Plan deleted(Reading.Values values) {
            if (!target.policy().equals("Owner")) {
                return failed(
                        "could not delete secret",
                        "unable to delete secret %s: creationPolicy=%s is not Owner"
                                .formatted(SecretTarget.name(source), target.policy()));
            }
            var message = "secret deleted due to DeletionPolicy=Delete";
            var changes = new ArrayList<Change>();
            facts.target().filter(secret -> !secret.isDeleting()).ifPresent(secret -> {
                changes.add(new Change.Delete(Secrets.KIND, secret));
                changes.add(Change.Event.normal(source, "Deleted", message));
            });
            return done("SecretDeleted", message, changes, values.missing());
        }

        private Plan synced(Reading.Values values) {
            if (target.policy().equals("None")) {
                return done("SecretSynced", "secret synced", List.of(), values.missing());
            }
            if (target.policy().equals("Merge") && facts.target().isEmpty()) {
                return done(
                        "SecretMissing",
                        "secret will not be created due to CreationPolicy=Merge",
                        List.of(),
                        values.missing());
            }
            try {
                var change = change(values);
                return done("SecretSynced", "secret synced", changes(change), values.missing());
            } catch (SecretTarget.Taken e) {
                return failed(e.message(), e.cause());
            } catch (ReadProblem e) {
                return failed("could not update secret", e.text());
            }
        }

        /// What would be written at the last refresh is compared first: a template may ask for the time or for
        /// chance,
        /// and must not find its own work wanting.
        private Optional<Change> change(Reading.Values values) {
            if (!isDue) {
                var version = source.status().string("syncedResourceVersion");
                var before = filled(values, refresh.last().orElse(now), version);
                if (target.policy().equals("Orphan") && target.wasMadeOf(before)) {
                    return Optional.empty();
                }
                if (target.change(before, this::refused).isEmpty()) {
                    return Optional.empty();
                }
            }
            return target.change(filled(values, now, Hashes.version(source)), this::refused);
        }

        private Filled filled(Reading.Values values, Instant moment, String version) {
            var ambient = chance.of(source.uid() + " " + version, moment);
            return target.fill(values.values(), facts.templates(), ambient);
        }

        private List<Change> changes(Optional<Change> change) {
            var changes = new ArrayList<Change>();
            if (target.policy().equals("Owner")) {
                facts.left().forEach(secret -> {
                    changes.add(new Change.Delete(Secrets.KIND, secret));
                    changes.add(Change.Event.normal(source, "Deleted", "secret deleted because it was orphaned"));
                });
            }
            change.ifPresent(each -> {
                changes.add(each);
                changes.add(
                        facts.target().isEmpty()
                                ? Change.Event.normal(source, "Created", "secret created")
                                : Change.Event.normal(source, "Updated", updated()));
                facts.target().flatMap(SecretTarget::otherKeeper).ifPresent(keeper -> changes.add(twoOwners(keeper)));
            });
            return changes;
        }

        private Change twoOwners(String keeper) {
            return Change.Event.warning(
                    source,
                    "TwoOwners",
                    "Secret " + SecretTarget.name(source) + " is also in the repository of Application " + keeper
                            + ": each undoes what the other writes. Take it out of the repository");
        }

        // On a cluster it would have been the next refresh that sees a new value.
        private String updated() {
            return isDue || !target.isUntouched() ? "secret updated" : "secret updated because its source changed";
        }

        private Plan done(String reason, String message, List<Change> changes, List<String> missing) {
            var ready = Ready.yes(reason, message);
            if (!isDue && changes.isEmpty() && ready.saysTheSameAs(Ready.of(source.status()))) {
                return resting(Plan.NONE);
            }
            var plan = problem.map(cause -> failed("could not update secret", cause))
                    .orElse(Plan.NONE);
            for (var change : changes) {
                plan = plan.then(change);
            }
            for (var note : missing) {
                plan = plan.then(Change.Event.normal(source, "MissingProviderSecret", note));
            }
            var status = ready.in(source.status(), now)
                    .without("cause")
                    .with("refreshTime", Json.of(Timestamps.seconds(now)))
                    .with("syncedResourceVersion", Json.of(Hashes.version(source)));
            if (reason.equals("SecretSynced") && !target.policy().equals("None")) {
                status = status.with("binding", Json.Obj.of("name", Json.of(SecretTarget.name(source))));
            }
            plan = plan.setStatus(KIND, source, status);
            return refresh.interval().isPositive() ? plan.then(Plan.lookAgainAt(now.plus(refresh.interval()))) : plan;
        }

        private Plan resting(Plan plan) {
            return refresh.next(now)
                    .map(moment -> plan.then(Plan.lookAgainAt(moment)))
                    .orElse(plan);
        }

        private Plan refused(StatusError refusal) {
            return failed("could not update secret", refusal.text());
        }

        private Plan failed(String message, String cause) {
            var ready = Ready.no(FAILED, message);
            var status = ready.in(source.status(), now).with("cause", Json.of(cause));
            var again = Plan.lookAgainAt(now.plus(Ready.of(status).pause(now)));
            return source.status().equals(status)
                    ? again
                    : Plan.NONE
                            .setStatus(KIND, source, status)
                            .then(Change.Event.warning(source, "UpdateFailed", cause))
                            .then(again);
        }
    }
}

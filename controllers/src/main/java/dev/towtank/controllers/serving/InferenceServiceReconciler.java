package dev.towtank.controllers.serving;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Gives an InferenceService pods, one address, and requests only to pods whose model has answered.
///
/// A change of the predictor is a new revision beside the one that serves. The front leads to it at once when all of
/// its
/// pods are ready, and only then do the pods of the old one end, which finish what they have begun.
final class InferenceServiceReconciler implements Reconciler<Json.Obj, ServiceFacts> {

    private static final int KEPT_REVISIONS = 10;
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(60);

    /// What follows when a deed is done.
    private record Then(Plan plan) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return plan;
        }
    }

    /// The rest, when the front listens.
    private record Listening(Resource service, ServiceFacts facts, Instant now) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return result instanceof Json.Int(var port)
                    ? decided(service, facts.listeningOn((int) port), now)
                    : Plan.none();
        }
    }

    /// The pod, when its port is known.
    private record WithPort(Resource service, Track track, Revision revision, String name) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return result instanceof Json.Int(var port)
                    ? Plan.none().create(Pods.KIND, Worker.of(service, track, revision, name, Optional.of((int) port)))
                    : Plan.none();
        }
    }

    /// What a revision on trial has answered to its test.
    private record Tested(Resource service, ServiceFacts facts, Instant now, Steps.Test test) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return decided(service, facts.tested(Answers.problem(test, result).orElse("")), now);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, ServiceFacts facts, Instant now) {
        var service = primary.object();
        if (service.isDeleting()) {
            return Plan.none();
        }
        if (Stopping.isWanted(service)) {
            return stopped(service, facts, now);
        }
        return facts.port().isPresent()
                ? decided(service, facts, now)
                : Plan.of(new Change.Act(new ServingDeed.Open(primary.name()), new Listening(service, facts, now)));
    }

    private static Plan stopped(Resource service, ServiceFacts facts, Instant now) {
        var plan = new Plan.Builder();
        facts.workers().forEach(worker -> plan.delete(Pods.KIND, worker.pod()));
        facts.slice().ifPresent(slice -> plan.delete(EndpointSlices.KIND, slice));
        facts.service().ifPresent(each -> plan.delete(Services.KIND, each));
        var rest = plan.setStatus(ServingKinds.INFERENCE_SERVICE, service, ServiceStatus.stopped(service, now))
                .build();
        var nowhere = new Routes(List.of(), timeout(service));
        return facts.routes().filter(routes -> !routes.equals(nowhere)).isPresent()
                ? Plan.of(new Change.Act(lead(service, nowhere), new Then(rest)))
                : rest;
    }

    private static Plan decided(Resource service, ServiceFacts facts, Instant now) {
        var predictor = Track.ofPredictor(service);
        var canaries = Track.ofCanaries(service);
        var targets = new LinkedHashMap<Track, TrackTarget>();
        targets.put(predictor, TrackTarget.of(service, predictor, facts));
        canaries.forEach(track -> targets.put(track, TrackTarget.of(service, track, facts)));
        var created = newRevisions(service, facts, targets);
        if (!created.isNone()) {
            return created;
        }
        var states = states(facts, predictor, canaries);
        var rollout = rollout(service, facts, states, targets, predictor, now);
        if (rollout.trial().needsTest()) {
            return test(service, facts, rollout, now);
        }
        var rest = new Plan.Builder()
                .add(ServiceObjects.plan(service, facts))
                .add(pods(service, facts, states, rollout, predictor, canaries))
                .add(ServiceStatus.plan(service, facts, targets.get(predictor), rollout, now))
                .add(oldRevisions(facts, rollout))
                .build();
        var routes = rollout.routes(timeout(service));
        var whole = facts.routes().equals(Optional.of(routes))
                ? rest
                : Plan.of(new Change.Act(lead(service, routes), new Then(rest)));
        return rollout.trial()
                .lookAgain()
                .map(moment -> whole.then(Plan.lookAgainAt(moment)))
                .orElse(whole);
    }

    private static Plan test(Resource service, ServiceFacts facts, Rollout rollout, Instant now) {
        var test = Steps.of(service).flatMap(Steps::test).orElseThrow();
        var latest = rollout.latest().orElseThrow();
        var deed = new ServingDeed.Try(
                latest.targets().getFirst(), Template.modelName(service, latest.revision()), test.instances());
        return Plan.of(new Change.Act(deed, new Tested(service, facts, now, test)))
                .then(Plan.lookAgainAt(now));
    }

    private static ServingDeed.Lead lead(Resource service, Routes routes) {
        return new ServingDeed.Lead(ObjectName.of(service), routes);
    }

    private static Duration timeout(Resource service) {
        long seconds = service.spec().object("predictor").integer("timeout");
        return seconds > 0 ? Duration.ofSeconds(Math.min(seconds, 3600)) : USUAL_TIMEOUT;
    }

    private static Plan newRevisions(Resource service, ServiceFacts facts, Map<Track, TrackTarget> targets) {
        var plan = new Plan.Builder();
        targets.forEach((track, target) -> {
            if (target instanceof TrackTarget.Known(var template, var _)
                    && Revision.meant(facts.revisions(), track, template, rolledOut(service))
                            .isEmpty()) {
                plan.create(ControllerRevisions.KIND, Revision.next(service, track, template, facts.revisions()));
            }
        });
        return plan.build();
    }

    /// Of all revisions, with as many pods as their track wants.
    private static Map<String, RevisionState> states(ServiceFacts facts, Track predictor, List<Track> canaries) {
        var states = new LinkedHashMap<String, RevisionState>();
        for (var revision : facts.revisions()) {
            var track = canaries.stream().filter(revision::isOf).findFirst().orElse(predictor);
            states.put(revision.name(), RevisionState.of(revision, facts.workers(), track.replicas()));
        }
        return states;
    }

    private static String rolledOut(Resource service) {
        return service.status().string("components", "predictor", "latestRolledoutRevision");
    }

    /// Whether it is what served before the one that does now, and so need not prove itself again.
    private static boolean servedBefore(Resource service, ServiceFacts facts, RevisionState state) {
        var previous = service.status().string("components", "predictor", "previousRolledoutRevision");
        return facts.revisions().stream()
                .filter(revision -> revision.name().equals(previous))
                .anyMatch(
                        revision -> revision.template().equals(state.revision().template()));
    }

    private static Rollout rollout(
            Resource service,
            ServiceFacts facts,
            Map<String, RevisionState> states,
            Map<Track, TrackTarget> targets,
            Track predictor,
            Instant now) {
        var latest = new LinkedHashMap<Track, RevisionState>();
        targets.forEach((track, target) -> {
            var revision = target instanceof TrackTarget.Known(var template, var _)
                    ? Revision.meant(facts.revisions(), track, template, rolledOut(service))
                    : Revision.newest(facts.revisions(), track);
            revision.map(each -> states.get(each.name())).ifPresent(state -> latest.put(track, state));
        });
        var ofPredictor = Optional.ofNullable(latest.remove(predictor));
        var percent = predictor.predictor().has("canaryTrafficPercent")
                ? Optional.of(predictor.predictor().integer("canaryTrafficPercent"))
                : Optional.<Long>empty();
        boolean hasStable = states.containsKey(rolledOut(service));
        var trial = ofPredictor
                .filter(state -> !state.name().equals(rolledOut(service)) && !servedBefore(service, facts, state))
                .map(state -> Trial.of(service, facts, state, hasStable, now))
                .orElse(Trial.NONE);
        return Rollout.of(
                service.status().object("components", "predictor"), ofPredictor, states, percent, trial, latest);
    }

    private static Plan pods(
            Resource service,
            ServiceFacts facts,
            Map<String, RevisionState> states,
            Rollout rollout,
            Track predictor,
            List<Track> canaries) {
        var plan = new Plan.Builder();
        var needed = rollout.needed();
        for (var state : states.values()) {
            if (needed.contains(state.name())) {
                var track = canaries.stream()
                        .filter(state.revision()::isOf)
                        .findFirst()
                        .orElse(predictor);
                plan.add(pods(service, facts, state, track));
            }
        }
        facts.workers().stream()
                .filter(worker -> !needed.contains(worker.revision()))
                .forEach(worker -> plan.delete(Pods.KIND, worker.pod()));
        return plan.build();
    }

    private static Plan pods(Resource service, ServiceFacts facts, RevisionState state, Track track) {
        var plan = new Plan.Builder();
        state.workers().stream().filter(Worker::isFinished).forEach(worker -> plan.delete(Pods.KIND, worker.pod()));
        var alive =
                state.workers().stream().filter(worker -> !worker.isEnding()).toList();
        if (alive.size() > state.wanted()) {
            alive.stream()
                    .sorted(Comparator.comparing(Worker::isReady)
                            .thenComparing(worker -> worker.pod().name()))
                    .limit(alive.size() - (long) state.wanted())
                    .forEach(worker -> plan.delete(Pods.KIND, worker.pod()));
        }
        var taken = facts.workers().stream().map(worker -> worker.pod().name()).collect(Collectors.toSet());
        for (var name : freeNames(state.name(), taken, state.wanted() - alive.size())) {
            if (Worker.needsPort(state.revision(), facts.networks())) {
                plan.add(new Change.Act(
                        new ServingDeed.FindPort(name), new WithPort(service, track, state.revision(), name)));
            } else {
                plan.create(Pods.KIND, Worker.of(service, track, state.revision(), name, Optional.empty()));
            }
        }
        return plan.build();
    }

    /// Names are a function of what is there, so that a second look creates nothing twice.
    private static List<String> freeNames(String revision, Set<String> taken, int count) {
        var names = new ArrayList<String>();
        for (int number = 0; names.size() < count; number++) {
            var name = revision + "-" + number;
            if (!taken.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    private static Plan oldRevisions(ServiceFacts facts, Rollout rollout) {
        var plan = new Plan.Builder();
        var keep = rollout.needed();
        facts.revisions().stream()
                .sorted(Comparator.comparing((Revision revision) ->
                                revision.object().creationTimestamp().orElse(Instant.EPOCH))
                        .thenComparingLong(Revision::number)
                        .reversed())
                .skip(KEPT_REVISIONS)
                .filter(revision ->
                        !keep.contains(revision.name()) && !revision.name().equals(rollout.previous()))
                .forEach(revision -> plan.delete(ControllerRevisions.KIND, revision.object()));
        return plan.build();
    }
}

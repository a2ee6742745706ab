package dev.towtank.controllers.triggers;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.Glob;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Looks at repositories, and gives a listener the event that GitHub would have sent when a branch has moved. What a
/// repository is like when it is looked at first is no news.
final class GitRepositoryReconciler implements Reconciler<Json.Obj, Answer<Map<String, String>>> {

    static final String NOTHING = "0".repeat(40);

    private static final Duration USUAL = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final String BRANCHES = "refs/heads/";

    /// @param before the commit where the branch was; zeros for a new branch
    /// @param after where it is; zeros for one that is gone
    record Push(ObjectName repository, String branch, String before, String after) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.builder()
                    .put("push", repository.toString())
                    .put("branch", branch)
                    .put("before", before)
                    .put("after", after)
                    .build();
        }
    }

    private record Pushed(Resource repository, Push push, Instant now) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var branches = repository.status().object("branches");
            var event = Json.Obj.builder()
                    .put("time", Timestamps.seconds(now))
                    .put("branch", push.branch)
                    .put("before", push.before)
                    .put("after", push.after)
                    .put("triggers", result)
                    .build();
            var moved = push.after.equals(NOTHING)
                    ? branches.without(push.branch)
                    : branches.with(push.branch, Json.of(push.after));
            return Plan.of(new Change.SetStatus(
                    TriggersKinds.GIT_REPOSITORY,
                    repository,
                    repository.status().with("branches", moved).with("lastEvent", event)));
        }
    }

    static Duration interval(Resource repository) {
        var text = repository.spec().string("interval");
        try {
            var interval = text.isEmpty() ? USUAL : Durations.parse(text);
            return interval.compareTo(SHORTEST) < 0 ? SHORTEST : interval;
        } catch (Durations.Malformed e) {
            return USUAL;
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Answer<Map<String, String>> refs, Instant now) {
        var repository = primary.object();
        if (repository.isDeleting()) {
            return Plan.none();
        }
        var again = Plan.lookAgainAt(now.plus(interval(repository)));
        return switch (refs) {
            case Answer.Pending<Map<String, String>> _ -> Plan.none();
            case Answer.Failed<Map<String, String>> failed ->
                Plan.none()
                        .setStatus(
                                TriggersKinds.GIT_REPOSITORY,
                                repository,
                                told(repository, false, failed.problem(), now))
                        .then(again);
            case Answer.Known<Map<String, String>>(var known, var _) ->
                looked(primary, known, now).then(again);
        };
    }

    private static Plan looked(Observed<Json.Obj> primary, Map<String, String> refs, Instant now) {
        var repository = primary.object();
        var branches = branches(repository, refs);
        var status = repository.status();
        if (!status.has("branches")) {
            var first =
                    told(repository, true, "the repository is looked at", now).with("branches", branches);
            return Plan.none().setStatus(TriggersKinds.GIT_REPOSITORY, repository, first);
        }
        var before = status.object("branches");
        var names = new TreeSet<>(before.keys());
        names.addAll(branches.keys());
        for (var name : names) {
            var was = before.string(name);
            var is = branches.string(name);
            if (!was.equals(is)) {
                var push = new Push(primary.name(), name, was.isEmpty() ? NOTHING : was, is.isEmpty() ? NOTHING : is);
                // The status that this leads to leads to the next.
                return Plan.of(new Change.Act(push, new Pushed(repository, push, now)));
            }
        }
        return Plan.none()
                .setStatus(
                        TriggersKinds.GIT_REPOSITORY,
                        repository,
                        told(repository, true, "the repository is looked at", now));
    }

    private static Json.Obj branches(Resource repository, Map<String, String> refs) {
        var wanted = repository.spec().array("branches").strings();
        var found = Json.Obj.builder();
        refs.entrySet().stream()
                .filter(ref -> ref.getKey().startsWith(BRANCHES))
                .map(ref -> Map.entry(ref.getKey().substring(BRANCHES.length()), ref.getValue()))
                .filter(ref -> (wanted.isEmpty() ? List.of("*") : wanted)
                        .stream().anyMatch(pattern -> Glob.matches(pattern, ref.getKey())))
                .sorted(Map.Entry.comparingByKey())
                .forEach(ref -> found.put(ref.getKey(), ref.getValue()));
        return found.build();
    }

    private static Json.Obj told(Resource repository, boolean isReady, String message, Instant now) {
        var value = isReady ? "True" : "False";
        var since = Timestamps.ofCondition(repository.status(), "Ready", value, now);
        var condition = Json.Obj.builder()
                .put("type", "Ready")
                .put("status", value)
                .put("reason", isReady ? "Looked" : "GitFailed")
                .put("message", message)
                .put("lastTransitionTime", since)
                .build();
        return repository.status().with("conditions", Json.Arr.of(condition));
    }
}

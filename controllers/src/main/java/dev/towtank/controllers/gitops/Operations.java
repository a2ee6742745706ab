package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.controllers.gitops.sync.Result;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.controllers.gitops.sync.Step;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// `status.operationState`: what is being done, and how far it is.
final class Operations {

    private static final int SHORT_REVISION = 7;

    private Operations() {}

    /// Those that the operation names; empty for the newest.
    static List<String> revisions(Json.Obj sync) {
        var many = sync.array("revisions").strings();
        return !many.isEmpty()
                ? many
                : sync.string("revision").isEmpty() ? List.of() : List.of(sync.string("revision"));
    }

    static List<Result> results(Json.Obj state) {
        return state.objects("syncResult", "resources").stream()
                .map(Result::read)
                .toList();
    }

    static boolean skipsHooks(Json.Obj sync) {
        return !sync.objects("resources").isEmpty()
                || sync.object("syncStrategy").has("apply");
    }

    static Situation.Wishes wishes(Json.Obj state) {
        var sync = state.object("operation", "sync");
        Set<ResourceKey> selected = sync.objects("resources").stream()
                .map(each -> new ResourceKey(
                        each.string("group"), each.string("kind"), each.string("namespace"), each.string("name")))
                .collect(Collectors.toSet());
        return new Situation.Wishes(
                sync.flag("prune"),
                sync.flag("dryRun"),
                selected,
                new HashSet<>(sync.array("syncOptions").strings()),
                state.string("startedAt") + "/" + state.integer("retryCount"));
    }

    /// A hook without a name gets one that is another for each sync, and the same whenever one looks.
    static Json.Obj named(Json.Obj hook, Phase phase, Json.Obj state) {
        var prefix = hook.string("metadata", "generateName");
        if (!hook.string("metadata", "name").isEmpty() || prefix.isEmpty()) {
            return hook;
        }
        var revision = state.string("syncResult", "revision");
        var started = Timestamps.parseSeconds(state.string("startedAt"))
                .map(Instant::getEpochSecond)
                .orElse(0L);
        var name = prefix + revision.substring(0, Math.min(SHORT_REVISION, revision.length())) + "-" + phase.wire()
                + "-" + started;
        return hook.with(
                "metadata",
                hook.object("metadata").without("generateName").with("name", Json.of(name.toLowerCase(Locale.ROOT))));
    }

    static Json.Obj begun(Json.Obj operation, ApplicationSpec spec, List<String> newest, Instant now) {
        var named = revisions(operation.object("sync"));
        var revisions = named.isEmpty() ? newest : named;
        // What was begun goes on with the commit that it began with.
        var sync = spec.hasManySources()
                ? operation.object("sync").with("revisions", Json.Arr.ofStrings(revisions))
                : operation.object("sync").with("revision", Json.of(revisions.getFirst()));
        return Json.Obj.builder()
                .put("operation", operation.with("sync", sync))
                .put("phase", "Running")
                .put("startedAt", Timestamps.seconds(now))
                .put("syncResult", result(spec, revisions, List.of()))
                .build();
    }

    static Json.Obj result(ApplicationSpec spec, List<String> revisions, List<Result> results) {
        var result = Json.Obj.builder();
        if (spec.hasManySources()) {
            result.put("sources", new Json.Arr(List.copyOf(spec.sources())));
            result.put("revisions", Json.Arr.ofStrings(revisions));
        } else {
            result.put("source", spec.sources().getFirst());
        }
        return result.put("revision", revisions.getFirst())
                .putNonEmpty(
                        "resources",
                        new Json.Arr(results.stream().<Json>map(Result::json).toList()))
                .build();
    }

    static Json.Obj advanced(Json.Obj state, Step step, Instant now) {
        var results =
                new Json.Arr(step.results().stream().<Json>map(Result::json).toList());
        var next = state.with("phase", Json.of(step.state()))
                .with("message", Json.of(step.message()))
                .with("syncResult", state.object("syncResult").with("resources", results));
        return step.state().equals("Running") ? next : ended(next, now);
    }

    /// Finished, or to be tried once more.
    static Json.Obj ended(Json.Obj state, Instant now) {
        var finished = state.with("finishedAt", Json.of(Timestamps.seconds(now)));
        long tried = state.integer("retryCount");
        long limit = state.integer("operation", "retry", "limit");
        if (state.string("phase").equals("Succeeded") || (limit >= 0 && tried >= limit)) {
            return finished;
        }
        var next = finished.with("phase", Json.of("Running")).with("retryCount", Json.of(tried + 1));
        return next.with(
                "message",
                Json.of(state.string("message") + ". Retrying attempt #" + (tried + 1) + " at "
                        + Timestamps.seconds(retryAt(next)) + "."));
    }

    /// As documented: duration * factor^n, where the first retry is the zeroth.
    static Instant retryAt(Json.Obj state) {
        var backoff = state.object("operation", "retry", "backoff");
        var duration = duration(backoff.string("duration"), Duration.ofSeconds(5));
        var longest = duration(backoff.string("maxDuration"), Duration.ofMinutes(3));
        long factor = Math.clamp(backoff.integerOr(2, "factor"), 1, 1000);
        var wait = duration;
        for (long i = 1; i < state.integer("retryCount") && wait.compareTo(longest) < 0; i++) {
            wait = wait.multipliedBy(factor);
        }
        return Timestamps.parseSeconds(state.string("finishedAt"))
                .orElse(Instant.EPOCH)
                .plus(wait.compareTo(longest) < 0 ? wait : longest);
    }

    private static Duration duration(String text, Duration usual) {
        try {
            return text.isEmpty() ? usual : Durations.parse(text.matches("\\d+") ? text + "s" : text);
        } catch (Durations.Malformed e) {
            return usual;
        }
    }

    /// As it is when it begins anew.
    static Json.Obj retried(Json.Obj state) {
        return state.without("finishedAt")
                .with("syncResult", state.object("syncResult").without("resources"))
                .with("message", Json.of("retrying"));
    }
}

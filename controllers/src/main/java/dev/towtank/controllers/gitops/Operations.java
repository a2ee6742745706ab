package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.controllers.gitops.sync.Result;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// `status.operationState`: what is being done, and how far it is.
final class Operations {

    /// When somebody agreed to the deletion of what asks for that.
    static final String APPROVED = "argocd.argoproj.io/deletion-approved";

    private static final int SHORT_REVISION = 7;

    private Operations() {}

    /// Those that the operation names; empty for the newest.
    static List<String> revisions(Json.Obj sync) {
        var many = sync.array("revisions").strings();
        return !many.isEmpty()
                ? many
                : sync.string("revision").isEmpty() ? List.of() : List.of(sync.string("revision"));
    }

    /// Those that the operation names, or those of the Application.
    static List<Json.Obj> sources(Json.Obj sync, ApplicationSpec spec) {
        if (!sync.objects("sources").isEmpty()) {
            return sync.objects("sources");
        }
        return sync.has("source") ? List.of(sync.object("source")) : spec.sources();
    }

    /// Whether somebody agreed to deletions since then.
    static boolean isApproved(Resource application, Optional<Instant> since) {
        var approved = Timestamps.parseSeconds(application.annotations().getOrDefault(APPROVED, ""));
        return approved.isPresent() && since.isPresent() && !approved.get().isBefore(since.get());
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

    /// What an operation asks for that nobody does; for people.
    static Optional<String> problem(Json.Obj operation) {
        var sync = operation.object("sync");
        if (!sync.array("manifests").strings().isEmpty()) {
            return Optional.of("operation.sync.manifests is not served: commit what is to be synced");
        }
        if (!operation.has("sync")) {
            return Optional.of("Invalid operation request: there is no operation.sync");
        }
        return SyncOptions.problems(sync.array("syncOptions").strings()).stream()
                .findFirst()
                .map(why -> "operation.sync.syncOptions: " + why);
    }

    static Situation.Wishes wishes(Json.Obj state, Resource application) {
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
                isApproved(application, Timestamps.parseSeconds(state.string("startedAt"))),
                state.string("startedAt") + "/" + state.integer("retryCount") + "/" + last(application.status()));
    }

    /// Two syncs may begin in one second.
    private static long last(Json.Obj status) {
        var history = status.objects("history");
        return history.isEmpty() ? -1 : history.getLast().integer("id");
    }

    /// A hook without a name gets one that is another for each sync, and the same whenever one looks.
    static Json.Obj named(Json.Obj hook, Phase phase, Json.Obj state) {
        var revision = state.string("syncResult", "revision");
        return named(
                hook,
                phase.wire(),
                revision.substring(0, Math.min(SHORT_REVISION, revision.length())) + "-",
                Timestamps.parseSeconds(state.string("startedAt")).orElse(Instant.EPOCH));
    }

    static Json.Obj named(Json.Obj hook, String phase, String revision, Instant moment) {
        var prefix = hook.string("metadata", "generateName");
        if (!hook.string("metadata", "name").isEmpty() || prefix.isEmpty()) {
            return hook;
        }
        var name = prefix + revision + phase + "-" + moment.getEpochSecond();
        return hook.with(
                "metadata",
                hook.object("metadata").without("generateName").with("name", Json.of(name.toLowerCase(Locale.ROOT))));
    }

    /// @param revisions the commits that it is about
    static Json.Obj begun(Json.Obj operation, ApplicationSpec spec, List<String> revisions, Instant now) {
        // What was begun goes on with the commit that it began with.
        var sources = sources(operation.object("sync"), spec);
        var sync = spec.hasManySources()
                ? operation.object("sync").with("revisions", Json.Arr.ofStrings(revisions))
                : operation.object("sync").with("revision", Json.of(revisions.getFirst()));
        return Json.Obj.builder()
                .put("operation", operation.with("sync", sync))
                .put("phase", "Running")
                .put("startedAt", Timestamps.seconds(now))
                .put("syncResult", result(spec, sources, revisions))
                .build();
    }

    private static Json.Obj result(ApplicationSpec spec, List<Json.Obj> sources, List<String> revisions) {
        var result = Json.Obj.builder();
        if (spec.hasManySources()) {
            result.put("sources", new Json.Arr(List.copyOf(sources)));
            result.put("revisions", Json.Arr.ofStrings(revisions));
        } else {
            result.put("source", sources.getFirst());
        }
        return result.put("revision", revisions.getFirst()).build();
    }

    static Json.Obj advanced(Json.Obj state, SyncStep step, Instant now) {
        var results = timed(state.objects("syncResult", "resources"), step.results(), now);
        var next = state.with("phase", Json.of(step.state()))
                .with("message", Json.of(step.message()))
                .with("syncResult", state.object("syncResult").with("resources", results));
        return step.state().equals("Running") ? next : ended(next, now);
    }

    /// Since when each object is worked on, and until when it was: whoever wants to know what took so long, looks
    /// there.
    private static Json.Arr timed(List<Json.Obj> before, List<Result> results, Instant now) {
        var moment = now.truncatedTo(ChronoUnit.MILLIS).toString();
        var known = new HashMap<Result.Place, Json.Obj>();
        before.forEach(each -> known.putIfAbsent(Result.read(each).place(), each));
        var all = new ArrayList<Json>();
        for (var result : results) {
            var old = known.getOrDefault(result.place(), Json.Obj.EMPTY);
            var entry = result.json().with("startedAt", Json.of(or(old.string("startedAt"), moment)));
            if (result.isCompleted()) {
                entry = entry.with("finishedAt", Json.of(or(old.string("finishedAt"), moment)));
            }
            all.add(entry);
        }
        return new Json.Arr(all);
    }

    private static String or(String text, String other) {
        return text.isEmpty() ? other : text;
    }

    /// Before when no wave begins, where waves are given time.
    static Instant nextWaveAt(Json.Obj state, Duration between) {
        return state.objects("syncResult", "resources").stream()
                .map(each -> each.string("startedAt"))
                .filter(each -> !each.isEmpty())
                .map(Instant::parse)
                .max(Comparator.naturalOrder())
                .map(last -> last.plus(between))
                .orElse(Instant.EPOCH);
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

    /// As it is when it begins anew: with the commits that it began with, or with the newest where it is to
    /// (`retry.refresh`).
    static Json.Obj retried(Json.Obj state, List<String> newest) {
        var again = state.without("finishedAt")
                .with("syncResult", state.object("syncResult").without("resources"))
                .with("message", Json.of("retrying"));
        if (!state.flag("operation", "retry", "refresh") || newest.isEmpty()) {
            return again;
        }
        boolean isMany = state.object("operation", "sync").has("revisions");
        var field = isMany ? "revisions" : "revision";
        var value = isMany ? Json.Arr.ofStrings(newest) : Json.of(newest.getFirst());
        var fresh = again.with(List.of("operation", "sync", field), value)
                .with(List.of("syncResult", "revision"), Json.of(newest.getFirst()));
        return isMany ? fresh.with(List.of("syncResult", "revisions"), value) : fresh;
    }
}

package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Result;
import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What an Application tells about itself.
final class ApplicationStatus {

    private static final int MOST_CAUSES = 3;

    private ApplicationStatus() {}

    /// @param old what stays the same keeps its times
    static Json.Obj compared(Json.Obj old, ApplicationSpec spec, Compared compared, Instant now) {
        var resources = compared.resources();
        var builder = old.without("sourceType").without("sourceTypes").toBuilder();
        if (spec.hasManySources()) {
            builder.put("sourceTypes", Json.Arr.ofStrings(compared.sourceTypes()));
        } else {
            builder.put("sourceType", compared.sourceTypes().getFirst());
        }
        return builder.put("sync", sync(spec, isSynced(resources) ? "Synced" : "OutOfSync", compared.revisions()))
                .put("health", health(old, health(resources), now))
                .put("resources", entries(compared, spec.options()))
                .put("summary", summary(resources))
                .put("resourceHealthSource", "inline")
                .put("controllerNamespace", GitOpsKinds.NAMESPACE)
                .build();
    }

    /// When nothing can be compared, what was known about objects stays: it tells what may have to go one day.
    static Json.Obj unknown(Json.Obj old, ApplicationSpec spec, Instant now) {
        return old.with("sync", sync(spec, "Unknown", List.of()))
                .with("health", health(old, Health.of(Health.Code.UNKNOWN, ""), now));
    }

    private static Json.Obj sync(ApplicationSpec spec, String status, List<String> revisions) {
        var comparedTo = Json.Obj.builder().put("destination", spec.json().object("destination"));
        if (spec.hasManySources()) {
            comparedTo.put("sources", new Json.Arr(List.copyOf(spec.sources())));
        } else {
            comparedTo.put("source", spec.sources().getFirst());
        }
        comparedTo.putNonEmpty("ignoreDifferences", spec.json().array("ignoreDifferences"));
        var sync = Json.Obj.builder().put("status", status).put("comparedTo", comparedTo.build());
        if (!revisions.isEmpty()) {
            if (spec.hasManySources()) {
                sync.put("revisions", Json.Arr.ofStrings(revisions));
            } else {
                sync.put("revision", revisions.getFirst());
            }
        }
        return sync.build();
    }

    static boolean isSynced(List<Managed> resources) {
        return resources.stream().allMatch(ApplicationStatus::isAsWanted);
    }

    static boolean isAsWanted(Managed managed) {
        return managed.isSynced()
                || Marks.isSkipped(managed.object())
                || (managed.target().isEmpty() && isExtraneous(managed));
    }

    private static boolean isExtraneous(Managed managed) {
        return Marks.hasCompareOption(managed.object(), "IgnoreExtraneous");
    }

    /// That of the worst; an application of which nothing is there is missing.
    static Health health(List<Managed> resources) {
        var all = resources.stream()
                .filter(each -> !Marks.isSkipped(each.object()))
                .toList();
        if (!all.isEmpty() && all.stream().allMatch(each -> each.live().isEmpty())) {
            return Health.of(Health.Code.MISSING, "");
        }
        var worst = Health.Code.HEALTHY;
        var causes = new ArrayList<Managed>();
        for (var managed : all) {
            var code = managed.health().map(Health::status).orElse(Health.Code.HEALTHY);
            if (counts(managed, code)) {
                if (code.isWorseThan(worst)) {
                    worst = code;
                    causes.clear();
                }
                if (code == worst && code != Health.Code.HEALTHY) {
                    causes.add(managed);
                }
            }
        }
        return Health.of(worst, causes(causes));
    }

    /// A child that is missing or not known is told by its own status.
    private static boolean counts(Managed managed, Health.Code code) {
        boolean isChild = managed.key().group().equals(GitOpsKinds.GROUP)
                && managed.key().kind().equals("Application");
        return managed.live().isPresent()
                && !managed.object()
                        .string("metadata", "annotations", "argocd.argoproj.io/ignore-healthcheck")
                        .equals("true")
                && !(isChild && (code == Health.Code.MISSING || code == Health.Code.UNKNOWN));
    }

    /// The first of them as Argo CD names them, and why the very first is so.
    private static String causes(List<Managed> causes) {
        if (causes.isEmpty()) {
            return "";
        }
        var names = causes.stream()
                .limit(MOST_CAUSES)
                .map(each -> (each.key().group().isEmpty() ? "" : each.key().group() + "/")
                        + each.key().kind() + ":"
                        + (each.key().namespace().isEmpty() ? "" : each.key().namespace() + "/")
                        + each.key().name())
                .collect(Collectors.joining(", "));
        var more = causes.size() > MOST_CAUSES ? " and " + (causes.size() - MOST_CAUSES) + " more" : "";
        var why = causes.getFirst().health().map(Health::message).orElse("");
        return "Caused by " + names + more + (why.isEmpty() ? "" : ": " + why);
    }

    private static Json.Obj health(Json.Obj old, Health health, Instant now) {
        var before = old.object("health");
        var since = before.string("status").equals(health.status().wire())
                ? before.string("lastTransitionTime")
                : Timestamps.seconds(now);
        return health.json().with("lastTransitionTime", Json.of(since));
    }

    private static Json.Arr entries(Compared compared, Set<String> options) {
        var entries = new ArrayList<Json>();
        for (var managed : compared.resources()) {
            var entry = entry(managed).put("status", isAsWanted(managed) ? "Synced" : "OutOfSync");
            if (managed.live().isEmpty()) {
                entry.put("health", Health.of(Health.Code.MISSING, "").json());
            } else {
                managed.health().ifPresent(health -> entry.put("health", health.json()));
            }
            if (managed.target().isEmpty()) {
                entry.put("requiresPruning", true);
            }
            if (SyncOptions.needsConsent(managed.object(), options)) {
                entry.put("requiresDeletionConfirmation", true);
            }
            entries.add(entry.build());
        }
        // They are no part of what is compared.
        for (var hook : compared.hooks()) {
            var entry = entry(hook).put("hook", true);
            hook.health().ifPresent(health -> entry.put("health", health.json()));
            entries.add(entry.build());
        }
        return new Json.Arr(entries);
    }

    private static ObjectBuilder entry(Managed managed) {
        var key = managed.key();
        var entry = Json.Obj.builder()
                .putNonEmpty("group", key.group())
                .put("version", managed.version())
                .put("kind", key.kind())
                .putNonEmpty("namespace", key.namespace())
                .put("name", key.name());
        int wave = Marks.wave(managed.object());
        return wave == 0 ? entry : entry.put("syncWave", wave);
    }

    private static Json.Obj summary(List<Managed> resources) {
        var images = new TreeSet<String>();
        resources.forEach(managed -> managed.live().ifPresent(live -> images.addAll(Result.images(live))));
        return images.isEmpty() ? Json.Obj.EMPTY : Json.Obj.of("images", Json.Arr.ofStrings(List.copyOf(images)));
    }

    static Json.Obj withConditions(Json.Obj status, List<Condition> conditions, Instant now) {
        var times = new HashMap<Condition, String>(); // there may be one for each of ten thousand objects
        status.objects("conditions")
                .forEach(each -> times.putIfAbsent(
                        new Condition(each.string("type"), each.string("message")), each.string("lastTransitionTime")));
        var all = new ArrayList<Json>();
        for (var condition : conditions) {
            var since = times.getOrDefault(condition, Timestamps.seconds(now));
            all.add(Json.Obj.of(
                    "type", Json.of(condition.type()),
                    "message", Json.of(condition.message()),
                    "lastTransitionTime", Json.of(since)));
        }
        return all.isEmpty() ? status.without("conditions") : status.with("conditions", new Json.Arr(all));
    }

    /// The newest syncs that succeeded, the oldest first.
    static Json.Obj withHistory(Json.Obj status, ApplicationSpec spec, Json.Obj state, Instant now) {
        var history = new ArrayList<Json>(status.objects("history"));
        long id = history.isEmpty() ? 0 : ((Json.Obj) history.getLast()).integer("id") + 1;
        var result = state.object("syncResult");
        var entry = Json.Obj.builder()
                .put("id", id)
                .put("deployStartedAt", state.string("startedAt"))
                .put("deployedAt", Timestamps.seconds(now))
                .put("revision", result.string("revision"))
                .putNonEmpty("revisions", result.array("revisions"))
                .putNonEmpty("source", result.object("source"))
                .putNonEmpty("sources", result.array("sources"))
                .putNonEmpty("initiatedBy", state.object("operation", "initiatedBy"));
        history.add(entry.build());
        long limit = spec.json().integerOr(10, "revisionHistoryLimit");
        while (history.size() > Math.max(0, limit)) {
            history.removeFirst();
        }
        return history.isEmpty() ? status.without("history") : status.with("history", new Json.Arr(history));
    }
}

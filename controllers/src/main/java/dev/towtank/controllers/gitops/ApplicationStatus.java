package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What an Application tells about itself.
final class ApplicationStatus {

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
                .put("resources", entries(resources))
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
        var counted = resources.stream()
                .filter(each -> !Marks.isSkipped(each.object())
                        && !each.object()
                                .string("metadata", "annotations", "argocd.argoproj.io/ignore-healthcheck")
                                .equals("true"))
                .toList();
        if (!counted.isEmpty() && counted.stream().allMatch(each -> each.live().isEmpty())) {
            return Health.of(Health.Code.MISSING, "");
        }
        var worst = Health.HEALTHY;
        for (var managed : counted) {
            var health = managed.health();
            if (managed.live().isPresent()
                    && health.isPresent()
                    && health.get().status().isWorseThan(worst.status())) {
                var why = health.get().message();
                worst = Health.of(
                        health.get().status(), "Caused by " + managed.key() + (why.isEmpty() ? "" : ": " + why));
            }
        }
        return worst;
    }

    private static Json.Obj health(Json.Obj old, Health health, Instant now) {
        var before = old.object("health");
        var since = before.string("status").equals(health.status().wire())
                ? before.string("lastTransitionTime")
                : Timestamps.seconds(now);
        return health.json().with("lastTransitionTime", Json.of(since));
    }

    private static Json.Arr entries(List<Managed> resources) {
        var entries = new ArrayList<Json>();
        for (var managed : resources) {
            var key = managed.key();
            var entry = Json.Obj.builder()
                    .putNonEmpty("group", key.group())
                    .put("version", managed.version())
                    .put("kind", key.kind())
                    .putNonEmpty("namespace", key.namespace())
                    .put("name", key.name())
                    .put("status", isAsWanted(managed) ? "Synced" : "OutOfSync");
            if (managed.live().isEmpty()) {
                entry.put("health", Health.of(Health.Code.MISSING, "").json());
            } else {
                managed.health().ifPresent(health -> entry.put("health", health.json()));
            }
            if (managed.target().isEmpty()) {
                entry.put("requiresPruning", true);
            }
            int wave = Marks.wave(managed.object());
            if (wave != 0) {
                entry.put("syncWave", wave);
            }
            entries.add(entry.build());
        }
        return new Json.Arr(entries);
    }

    private static Json.Obj summary(List<Managed> resources) {
        var images = new TreeSet<String>();
        for (var managed : resources) {
            managed.live()
                    .ifPresent(live -> Stream.of(live.object("spec"), live.object("spec", "template", "spec"))
                            .flatMap(pod -> pod.objects("containers").stream())
                            .map(container -> container.string("image"))
                            .filter(image -> !image.isEmpty())
                            .forEach(images::add));
        }
        return images.isEmpty() ? Json.Obj.EMPTY : Json.Obj.of("images", Json.Arr.ofStrings(List.copyOf(images)));
    }

    static Json.Obj withConditions(Json.Obj status, List<Condition> conditions, Instant now) {
        var old = status.objects("conditions");
        var all = new ArrayList<Json>();
        for (var condition : conditions) {
            var since = old.stream()
                    .filter(each -> each.string("type").equals(condition.type())
                            && each.string("message").equals(condition.message()))
                    .findFirst()
                    .map(each -> each.string("lastTransitionTime"))
                    .orElse(Timestamps.seconds(now));
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

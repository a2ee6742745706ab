package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Whether a sync is to begin by itself.
sealed interface AutoSync {

    record Nothing() implements AutoSync {}

    record Begin(Json.Obj operation) implements AutoSync {}

    record Later(Instant at) implements AutoSync {}

    /// @param why for people
    record Refused(String why) implements AutoSync {}

    Nothing NOTHING = new Nothing();
    long USUAL_RETRIES = 5;
    Duration FIRST_HEAL = Duration.ofSeconds(2);
    Duration LAST_HEAL = Duration.ofMinutes(5);
    Duration CALM = Duration.ofSeconds(330);

    static AutoSync decide(ApplicationSpec spec, Compared compared, Json.Obj state, Instant now) {
        var resources = compared.resources();
        if (!spec.isAutomated() || ApplicationStatus.isSynced(resources)) {
            return NOTHING;
        }
        boolean prune = spec.automated().flag("prune");
        if (!prune
                && resources.stream()
                        .filter(each -> !ApplicationStatus.isAsWanted(each))
                        .allMatch(each -> each.target().isEmpty())) {
            return NOTHING;
        }
        if (prune
                && !spec.automated().flag("allowEmpty")
                && resources.stream().allMatch(each -> each.target().isEmpty())) {
            return new Refused(
                    "Skipping sync attempt to " + compared.revisions() + ": auto-sync will wipe out all resources");
        }
        return isAttempted(spec, compared, state)
                ? again(spec, compared, state, now)
                : new Begin(operation(spec, compared, Json.Obj.EMPTY));
    }

    private static boolean isAttempted(ApplicationSpec spec, Compared compared, Json.Obj state) {
        var result = state.object("syncResult");
        return spec.hasManySources()
                ? result.array("revisions").strings().equals(compared.revisions())
                        && result.objects("sources").equals(spec.sources())
                : result.string("revision").equals(compared.revision())
                        && result.object("source").equals(spec.sources().getFirst());
    }

    private static AutoSync again(ApplicationSpec spec, Compared compared, Json.Obj state, Instant now) {
        if (!state.string("phase").equals("Succeeded")) {
            return new Refused("Failed last sync attempt to " + compared.revisions() + ": " + state.string("message"));
        }
        if (!spec.automated().flag("selfHeal")) {
            return NOTHING;
        }
        var finished = Timestamps.parseSeconds(state.string("finishedAt")).orElse(Instant.EPOCH);
        long healed =
                finished.plus(CALM).isBefore(now) ? 0 : state.integer("operation", "sync", "autoHealAttemptsCount");
        var due = finished.plus(pause(healed));
        if (due.isAfter(now)) {
            return new Later(due);
        }
        var drifted = compared.resources().stream()
                .filter(each -> !ApplicationStatus.isAsWanted(each))
                .<Json>map(AutoSync::reference)
                .toList();
        return new Begin(operation(
                spec,
                compared,
                Json.Obj.of("autoHealAttemptsCount", Json.of(healed + 1), "resources", new Json.Arr(drifted))));
    }

    /// None at first, then 2, 6, 18 seconds and so on, so that two who disagree do not keep the machine busy.
    private static Duration pause(long healed) {
        if (healed == 0) {
            return Duration.ZERO;
        }
        var pause = FIRST_HEAL;
        for (long i = 1; i < healed && pause.compareTo(LAST_HEAL) < 0; i++) {
            pause = pause.multipliedBy(3);
        }
        return pause.compareTo(LAST_HEAL) < 0 ? pause : LAST_HEAL;
    }

    private static Json.Obj reference(Managed managed) {
        return Json.Obj.builder()
                .putNonEmpty("group", managed.key().group())
                .put("kind", managed.key().kind())
                .put("name", managed.key().name())
                .putNonEmpty("namespace", managed.key().namespace())
                .build();
    }

    private static Json.Obj operation(ApplicationSpec spec, Compared compared, Json.Obj more) {
        var sync = Json.Obj.builder().putAll(more);
        if (spec.hasManySources()) {
            sync.put("revisions", Json.Arr.ofStrings(compared.revisions()));
        } else {
            sync.put("revision", compared.revision());
        }
        if (spec.automated().flag("prune")) {
            sync.put("prune", true);
        }
        sync.putNonEmpty("syncOptions", Json.Arr.ofStrings(List.copyOf(spec.options())));
        var retry = spec.json().object("syncPolicy", "retry");
        return Json.Obj.builder()
                .put("sync", sync.build())
                .put("initiatedBy", Json.Obj.of("automated", Json.of(true)))
                .put("retry", retry.size() > 0 ? retry : Json.Obj.of("limit", Json.of(USUAL_RETRIES)))
                .build();
    }
}

package dev.towtank.controllers.builds;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.builds.ImageStreams.TagName;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Starts builds when something sets them off, and tells how the newest one is.
final class ConfigReconciler implements Reconciler<Json.Obj, ConfigFacts> {

    private static final String CONFIG_CHANGE = "Build configuration change";
    private static final String SECRET_CHANGE = "Change of the source's Secret";
    private static final String IMAGE_CHANGE = "Image change";
    private static final int USUAL_HISTORY = 5;

    private record Due(String cause, String image) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, ConfigFacts facts, Instant now) {
        var config = observed.object();
        if (config.isDeleting()) {
            return Plan.none();
        }
        long last = last(config, facts);
        var due = facts.missing().isPresent() ? Optional.<Due>empty() : due(config, facts);
        var plan = pruned(config, facts);
        if (due.isPresent()) {
            var build =
                    new NewBuild(config, last + 1, due.get().cause(), due.get().image(), facts.secretVersion());
            return Plan.none()
                    .create(BuildKinds.BUILD, build.object())
                    .setStatus(
                            BuildKinds.CONFIG,
                            config,
                            told(config, last + 1, triggered(config, facts), starting(config, last + 1), now));
        }
        var before = config.status();
        return plan.setStatus(
                BuildKinds.CONFIG,
                config,
                told(config, last, before.array("imageChangeTriggers"), latest(config, facts), now));
    }

    private static long last(Resource config, ConfigFacts facts) {
        return facts.builds().stream()
                .mapToLong(NewBuild::number)
                .reduce(config.status().integer("lastVersion"), Math::max);
    }

    private static boolean hasTrigger(Resource config, String type) {
        return config.spec().objects("triggers").stream()
                .anyMatch(each -> each.string("type").equals(type));
    }

    private static Optional<Due> due(Resource config, ConfigFacts facts) {
        var image = changedImage(config, facts);
        if (image.isPresent()) {
            return Optional.of(new Due(IMAGE_CHANGE, image.get()));
        }
        if (!hasTrigger(config, "ConfigChange")) {
            return Optional.empty();
        }
        if (facts.builds().isEmpty()) {
            return config.status().integer("lastVersion") == 0
                    ? Optional.of(new Due(CONFIG_CHANGE, ""))
                    : Optional.empty();
        }
        var newest = facts.builds().getLast();
        if (!annotation(newest, NewBuild.GENERATION).equals(Long.toString(config.generation()))) {
            return Optional.of(new Due(CONFIG_CHANGE, ""));
        }
        boolean isLockedOut = newest.status().string("reason").equals("FetchSourceFailed")
                && !facts.secretVersion().isEmpty()
                && !annotation(newest, NewBuild.SECRET).equals(facts.secretVersion());
        return isLockedOut ? Optional.of(new Due(SECRET_CHANGE, "")) : Optional.empty();
    }

    private static String annotation(Resource object, String name) {
        return object.annotations().getOrDefault(name, "");
    }

    /// The image that a trigger has not built yet.
    private static Optional<String> changedImage(Resource config, ConfigFacts facts) {
        var known = config.status().objects("imageChangeTriggers");
        int number = 0;
        for (var tag : imageTriggers(config)) {
            var image = facts.images().getOrDefault(tag.namespace() + "/" + tag, "");
            var before = number < known.size() ? known.get(number).string("lastTriggeredImageID") : "";
            if (!image.isEmpty() && !image.equals(before)) {
                return Optional.of(image);
            }
            number++;
        }
        return Optional.empty();
    }

    /// The tags whose images set off builds.
    static List<TagName> imageTriggers(Resource config) {
        var tags = new ArrayList<TagName>();
        for (var trigger : config.spec().objects("triggers")) {
            if (!trigger.string("type").equals("ImageChange") || trigger.flag("imageChange", "paused")) {
                continue;
            }
            var from = trigger.object("imageChange", "from");
            var source = from.size() > 0 ? from : from(config.spec());
            if (source.string("kind").equals("ImageStreamTag")) {
                tags.add(TagName.of(source, config.namespace()));
            }
        }
        return tags;
    }

    /// What a build stands on; empty where the Dockerfile says so.
    static Json.Obj from(Json.Obj spec) {
        var docker = spec.object("strategy", "dockerStrategy", "from");
        return docker.size() > 0 ? docker : spec.object("strategy", "sourceStrategy", "from");
    }

    private static Json.Arr triggered(Resource config, ConfigFacts facts) {
        var all = new ArrayList<Json>();
        for (var tag : imageTriggers(config)) {
            all.add(Json.Obj.of(
                    "from",
                    Json.Obj.of("name", Json.of(tag.toString()), "namespace", Json.of(tag.namespace())),
                    "lastTriggeredImageID",
                    Json.of(facts.images().getOrDefault(tag.namespace() + "/" + tag, ""))));
        }
        return new Json.Arr(all);
    }

    private static Json.Obj condition(String status, String reason, String message) {
        return Json.Obj.builder()
                .put("type", BuildKinds.LATEST)
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .build();
    }

    private static Json.Obj starting(Resource config, long number) {
        return condition("Unknown", "New", "build " + config.name() + "-" + number + " is new");
    }

    private static Json.Obj latest(Resource config, ConfigFacts facts) {
        if (facts.missing().isPresent()) {
            return condition("Unknown", "InvalidImageReference", facts.missing().get());
        }
        if (facts.builds().isEmpty()) {
            return condition(
                    "Unknown",
                    "NotStarted",
                    "nobody has started a build: 'oc start-build " + config.name() + " -n " + config.namespace()
                            + "', or a trigger on ConfigChange, does");
        }
        var build = facts.builds().getLast();
        var phase = build.status().string("phase");
        var why = build.status().string("message");
        var name = "build " + build.name();
        return switch (phase) {
            case "Complete" -> condition("True", phase, name + " is complete");
            case "Failed", "Error", "Cancelled" -> {
                var log = build.status().string("logSnippet");
                yield condition(
                        "False",
                        build.status().string("reason"),
                        name + " failed: " + why + (log.isEmpty() ? "" : "\n" + log));
            }
            default ->
                condition(
                        "Unknown",
                        phase.isEmpty() ? "New" : phase,
                        name + (phase.equals("Running") ? " runs" : " waits" + (why.isEmpty() ? "" : ": " + why)));
        };
    }

    private static Json.Obj told(Resource config, long last, Json.Arr triggers, Json.Obj latest, Instant now) {
        var before = config.status();
        var old = before.objects("conditions").stream().findFirst().orElse(Json.Obj.EMPTY);
        boolean isSame = old.string("status").equals(latest.string("status"));
        var since = isSame ? old.string("lastTransitionTime") : Timestamps.seconds(now);
        var status = before.with("lastVersion", Json.of(last))
                .with("observedGeneration", Json.of(config.generation()))
                .with("conditions", Json.Arr.of(latest.with("lastTransitionTime", Json.of(since))));
        return triggers.size() == 0
                ? status.without("imageChangeTriggers")
                : status.with("imageChangeTriggers", triggers);
    }

    /// Old builds go, as many as the limits say.
    private static Plan pruned(Resource config, ConfigFacts facts) {
        return surplus(facts, List.of("Complete"), limit(config, "successfulBuildsHistoryLimit"))
                .then(surplus(
                        facts, List.of("Failed", "Error", "Cancelled"), limit(config, "failedBuildsHistoryLimit")));
    }

    private static int limit(Resource config, String field) {
        return Math.clamp(config.spec().integerOr(USUAL_HISTORY, field), 0, Integer.MAX_VALUE);
    }

    private static Plan surplus(ConfigFacts facts, List<String> phases, int limit) {
        var ended = facts.builds().stream()
                .filter(build -> phases.contains(build.status().string("phase")))
                .toList();
        // The newest of all is what the BuildConfig tells of.
        var newest = facts.builds().isEmpty() ? "" : facts.builds().getLast().name();
        var plan = Plan.none();
        for (var build : ended.subList(0, Math.max(0, ended.size() - limit))) {
            if (!build.name().equals(newest)) {
                plan = plan.then(new Change.Delete(BuildKinds.BUILD, build));
            }
        }
        return plan;
    }
}

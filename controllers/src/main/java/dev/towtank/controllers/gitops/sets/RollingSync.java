package dev.towtank.controllers.gitops.sets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Syncs the Applications of a set step by step: a step begins when all Applications of those before it are healthy,
/// and
/// at most `maxUpdate` of it change at a time. Who is in no step is left alone.
final class RollingSync {

    private static final String REASON = "ApplicationSet RollingSync triggered a sync of this Application resource";
    private static final Set<String> OF_A_STEP = Set.of("matchExpressions", "maxUpdate");

    private final List<Json.Obj> steps;
    private final List<Resource> applications;

    /// @param applications that the set has
    RollingSync(Json.Obj strategy, List<Resource> applications) {
        this.steps = strategy.objects("rollingSync", "steps");
        this.applications = List.copyOf(applications);
    }

    static boolean isMeant(Json.Obj strategy) {
        return strategy.string("type").equals("RollingSync");
    }

    /// What is wrong with a strategy.
    static void check(Json.Obj strategy) {
        var type = strategy.string("type");
        if (!type.isEmpty() && !type.equals("AllAtOnce") && !isMeant(strategy)) {
            throw new SetError("spec.strategy.type: " + type + " is not served; there are AllAtOnce and RollingSync");
        }
        if (strategy.string("deletionOrder").equals("Reverse")) {
            throw new SetError("spec.strategy.deletionOrder: Reverse is not served");
        }
        for (var step : strategy.objects("rollingSync", "steps")) {
            step.keys().stream()
                    .filter(key -> !OF_A_STEP.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw new SetError("spec.strategy.rollingSync.steps: " + key + " is not served");
                    });
            for (var expression : step.objects("matchExpressions")) {
                if (!Set.of("In", "NotIn").contains(expression.string("operator"))) {
                    throw new SetError("spec.strategy.rollingSync.steps: the operator " + expression.string("operator")
                            + " is not served; there are In and NotIn");
                }
            }
            limit(step, 1);
        }
    }

    private enum Progress {
        WAITING("Waiting"),
        PENDING("Pending"),
        PROGRESSING("Progressing"),
        HEALTHY("Healthy");

        private final String wire;

        Progress(String wire) {
            this.wire = wire;
        }
    }

    private record Place(Resource application, int step, Progress progress, String message) {}

    /// @param begins whose sync is to start now
    /// @param statuses as `status.applicationStatus` has them
    record Decision(List<Resource> begins, Json.Arr statuses) {
        Decision {
            begins = List.copyOf(begins);
        }
    }

    /// @param before `status.applicationStatus` as it was, so that what stays the same keeps its time
    Decision decide(List<Json.Obj> before, Instant now) {
        var places = new ArrayList<Place>();
        for (var application : applications) {
            int step = step(application);
            places.add(new Place(application, step, progress(application), ""));
        }
        var begins = new LinkedHashMap<String, Resource>();
        for (int step = 0; step < steps.size(); step++) {
            int current = step;
            var members = places.stream().filter(each -> each.step() == current).toList();
            long busy = members.stream()
                    .filter(each -> each.progress() == Progress.PROGRESSING || each.progress() == Progress.PENDING)
                    .count();
            long room = limit(steps.get(step), members.size()) - busy;
            members.stream()
                    .filter(each -> each.progress() == Progress.WAITING)
                    .limit(Math.max(0, room))
                    .forEach(each -> begins.put(each.application().name(), each.application()));
            if (members.stream().anyMatch(each -> each.progress() != Progress.HEALTHY)) {
                break;
            }
        }
        var statuses = places.stream()
                .<Json>map(each -> status(each, begins, before, now))
                .toList();
        return new Decision(List.copyOf(begins.values()), new Json.Arr(statuses));
    }

    private int step(Resource application) {
        for (int i = 0; i < steps.size(); i++) {
            boolean isMember = steps.get(i).objects("matchExpressions").stream()
                    .allMatch(expression -> matches(expression, application.labels()));
            if (isMember) {
                return i;
            }
        }
        return -1;
    }

    private static boolean matches(Json.Obj expression, Map<String, String> labels) {
        var value = labels.get(expression.string("key"));
        boolean isAmong = value != null && expression.array("values").strings().contains(value);
        return expression.string("operator").equals("NotIn") != isAmong;
    }

    /// How many of a step may change at a time: a number, or a share of them, of which one is always enough.
    private static long limit(Json.Obj step, int members) {
        var most = step.get("maxUpdate");
        return switch (most) {
            case null -> members;
            case Json.Int(var number) -> number;
            case Json.Str(var text)
            when text.matches("\\d{1,3}%") -> {
                long percent = Long.parseLong(text.substring(0, text.length() - 1));
                yield percent == 0 ? 0 : Math.max(1, members * percent / 100);
            }
            default ->
                throw new SetError("spec.strategy.rollingSync.steps: maxUpdate is " + most.display()
                        + ", and has to be a number or a percentage");
        };
    }

    private static Progress progress(Resource application) {
        var status = application.status();
        var state = status.object("operationState");
        if (application.json().has("operation") || state.string("phase").equals("Running")) {
            return Progress.PROGRESSING;
        }
        boolean isOld = !status.object("sync", "comparedTo", "source")
                        .equals(application.spec().object("source"))
                || !status.array("sync", "comparedTo", "sources")
                        .equals(application.spec().array("sources"));
        var sync = status.string("sync", "status");
        if (isOld || sync.isEmpty() || sync.equals("Unknown")) {
            return Progress.PENDING;
        }
        if (sync.equals("Synced")) {
            return status.string("health", "status").equals("Healthy") ? Progress.HEALTHY : Progress.PROGRESSING;
        }
        // One that failed holds up all others until there is something new to sync.
        boolean isTried = state.string("syncResult", "revision").equals(status.string("sync", "revision"))
                && state.object("syncResult", "source")
                        .equals(application.spec().object("source"));
        return isTried && !state.string("phase").equals("Succeeded") ? Progress.PROGRESSING : Progress.WAITING;
    }

    private static Json.Obj status(Place place, Map<String, Resource> begins, List<Json.Obj> before, Instant now) {
        var name = place.application().name();
        var old = before.stream()
                .filter(each -> each.string("application").equals(name))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        var progress = begins.containsKey(name) ? Progress.PENDING : place.progress();
        var step = Integer.toString(place.step() + 1);
        boolean isSame =
                old.string("status").equals(progress.wire) && old.string("step").equals(step);
        return Json.Obj.builder()
                .put("application", name)
                .put("status", place.step() < 0 ? Progress.WAITING.wire : progress.wire)
                .put("step", place.step() < 0 ? "-1" : step)
                .put("message", message(place, progress))
                .put(
                        "targetRevisions",
                        Json.Arr.ofStrings(
                                Optional.of(place.application().status().string("sync", "revision"))
                                        .filter(each -> !each.isEmpty())
                                        .stream()
                                        .toList()))
                .put("lastTransitionTime", isSame ? old.string("lastTransitionTime") : Timestamps.seconds(now))
                .build();
    }

    private static String message(Place place, Progress progress) {
        if (place.step() < 0) {
            return "Application is in no step of the RollingSync, so nobody syncs it.";
        }
        var state = place.application().status().object("operationState");
        boolean hasFailed = Set.of("Failed", "Error").contains(state.string("phase"));
        return switch (progress) {
            case WAITING -> "Application is waiting for the steps before it.";
            case PENDING ->
                "Application moved to Pending status, watching for the Application resource to start Progressing.";
            case PROGRESSING ->
                hasFailed
                        ? "Application failed, which holds up the steps after it: " + state.string("message")
                        : "Application resource became Progressing, updating status from Pending to Progressing.";
            case HEALTHY -> "Application resource became Healthy, updating status from Progressing to Healthy.";
        };
    }

    /// As a set wants an Application that it syncs itself.
    static Json.Obj withoutAutomation(Json.Obj wanted) {
        return wanted.object("spec", "syncPolicy").has("automated")
                ? wanted.with(
                        "spec",
                        wanted.object("spec")
                                .with(
                                        "syncPolicy",
                                        wanted.object("spec", "syncPolicy").without("automated")))
                : wanted;
    }

    /// @param wanted as the template says, with its wishes for automation
    static Json.Obj operation(Resource application, Optional<Json.Obj> wanted) {
        var policy = application.spec().object("syncPolicy");
        var sync = Json.Obj.builder();
        boolean prunes = wanted.filter(each -> each.flag("spec", "syncPolicy", "automated", "prune"))
                .isPresent();
        if (prunes) {
            sync.put("prune", true);
        }
        sync.putNonEmpty("syncOptions", policy.array("syncOptions"));
        var retry = policy.object("retry");
        return Json.Obj.builder()
                .put("sync", sync.build())
                .put(
                        "initiatedBy",
                        Json.Obj.of("username", Json.of("applicationset-controller"), "automated", Json.of(true)))
                .put("info", new Json.Arr(List.of(Json.Obj.of("name", Json.of("Reason"), "value", Json.of(REASON)))))
                .put("retry", retry.size() > 0 ? retry : Json.Obj.of("limit", Json.of(5)))
                .build();
    }
}

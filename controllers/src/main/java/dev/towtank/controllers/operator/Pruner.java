package dev.towtank.controllers.operator;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which finished runs the pruner takes away, as `tkn … delete --keep` or `--keep-since` does.
final class Pruner {

    private static final String PREFIX = "operator.tekton.dev/prune.";
    private static final List<String> RESOURCES = List.of("taskrun", "pipelinerun");

    private Pruner() {}

    /// What holds in a namespace.
    ///
    /// @param keep so many, the newest; less than one for no such rule
    /// @param since so long; zero for no such rule
    record Rule(long keep, Duration since, List<String> resources, boolean perResource) {}

    static boolean isOn(Json.Obj spec) {
        return spec.has("pruner") && !spec.flag("pruner", "disabled");
    }

    static Optional<String> problem(Json.Obj spec) {
        if (!isOn(spec)) {
            return Optional.empty();
        }
        var pruner = spec.object("pruner");
        if (pruner.has("keep") && pruner.has("keep-since")) {
            return Optional.of("expected exactly one, got both: spec.pruner.keep, spec.pruner.keep-since");
        }
        for (var field : List.of("keep", "keep-since")) {
            if (pruner.has(field) && pruner.integer(field) <= 0) {
                return Optional.of("invalid value: " + pruner.integer(field) + ": spec.pruner." + field);
            }
        }
        for (var resource : pruner.array("resources").strings()) {
            if (!RESOURCES.contains(resource)) {
                return Optional.of("invalid value: " + resource + ": spec.pruner.resources");
            }
        }
        var schedule = pruner.string("schedule");
        try {
            if (!schedule.isEmpty()) {
                CronSchedule.parse(schedule);
            }
            return Optional.empty();
        } catch (CronSchedule.Malformed e) {
            return Optional.of("invalid value: " + schedule + ": spec.pruner.schedule: " + e.text());
        }
    }

    /// Nothing where the namespace is left out, or says something that cannot be followed.
    static Optional<Rule> rule(Json.Obj pruner, Resource namespace) {
        var said = namespace.annotations();
        if (said.getOrDefault(PREFIX + "skip", "").equals("true")) {
            return Optional.empty();
        }
        try {
            long keep = pruner.has("keep-since") ? 0 : pruner.has("keep") ? pruner.integer("keep") : 100;
            long since = pruner.integer("keep-since");
            var strategy = said.getOrDefault(PREFIX + "strategy", "");
            if (said.containsKey(PREFIX + "keep") && !strategy.equals("keep-since")) {
                keep = Long.parseLong(said.getOrDefault(PREFIX + "keep", ""));
                since = 0;
            } else if (said.containsKey(PREFIX + "keep-since")) {
                since = Long.parseLong(said.getOrDefault(PREFIX + "keep-since", ""));
                keep = 0;
            }
            var resources = said.containsKey(PREFIX + "resources")
                    ? List.of(said.getOrDefault(PREFIX + "resources", "").split("\\s*,\\s*"))
                    : pruner.array("resources").strings();
            boolean isWrong = keep < 0 || since < 0 || !RESOURCES.containsAll(resources);
            return isWrong
                    ? Optional.empty()
                    : Optional.of(new Rule(
                            keep,
                            Duration.ofMinutes(since),
                            resources.isEmpty() ? List.of("pipelinerun") : resources,
                            said.containsKey(PREFIX + "prune-per-resource")
                                    ? said.getOrDefault(PREFIX + "prune-per-resource", "")
                                            .equals("true")
                                    : pruner.flag("prune-per-resource")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /// Those of one namespace and kind that go.
    static List<Resource> gone(Rule rule, List<Resource> runs, Instant now) {
        var done = runs.stream().filter(Pruner::isDone).toList();
        if (!rule.since().isZero()) {
            return done.stream()
                    .filter(run -> time(run, "completionTime").isBefore(now.minus(rule.since())))
                    .toList();
        }
        var groups = rule.perResource()
                ? done.stream()
                        .collect(Collectors.groupingBy(Pruner::definition))
                        .values()
                : List.of(done);
        var gone = new ArrayList<Resource>();
        for (var group : groups) {
            group.stream()
                    .sorted(Comparator.<Resource, Instant>comparing(run -> time(run, "startTime"))
                            .reversed())
                    .skip(rule.keep())
                    .forEach(gone::add);
        }
        return gone;
    }

    /// When a namespace is pruned: at a time of its own, or with all others; never where its own is none.
    static String schedule(Json.Obj pruner, Resource namespace) {
        var own = namespace.annotations().getOrDefault(PREFIX + "schedule", "");
        if (own.isEmpty()) {
            return pruner.string("schedule");
        }
        try {
            CronSchedule.parse(own);
            return own;
        } catch (CronSchedule.Malformed e) {
            return "";
        }
    }

    static boolean hasSucceeded(Resource run) {
        return run.status().objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Succeeded")
                        && each.string("status").equals("True"));
    }

    static String definition(Resource run) {
        return run.labels().getOrDefault("tekton.dev/pipeline", run.labels().getOrDefault("tekton.dev/task", ""));
    }

    static boolean isDone(Resource run) {
        return run.status().objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Succeeded")
                        && !each.string("status").equals("Unknown"));
    }

    private static Instant time(Resource run, String field) {
        var text = run.status().string(field);
        return Timestamps.parseSeconds(text).orElse(Instant.EPOCH);
    }

    /// When a schedule is due next; never where there is none.
    static Optional<Instant> due(String schedule, Instant last) {
        return schedule.isEmpty()
                ? Optional.empty()
                : CronSchedule.parse(schedule).next(last.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toInstant);
    }

    static Map<String, List<Resource>> byNamespace(List<Resource> runs) {
        return runs.stream().collect(Collectors.groupingBy(Resource::namespace));
    }
}

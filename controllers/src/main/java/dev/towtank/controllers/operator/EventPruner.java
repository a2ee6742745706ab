package dev.towtank.controllers.operator;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// Which finished runs go as soon as they may: by their age, and by how many of the same pipeline or task there are.
final class EventPruner {

    static final String NAMESPACE_MAP = "tekton-pruner-namespace-spec";
    static final String GLOBAL_MAP = "tekton-pruner-default-spec";
    private static final List<String> LIMITS =
            List.of("ttlSecondsAfterFinished", "historyLimit", "successfulHistoryLimit", "failedHistoryLimit");

    private EventPruner() {}

    /// @param ttl how long after its end a run stays
    record Limits(OptionalLong ttl, OptionalLong successful, OptionalLong failed) {}

    static boolean isOn(Json.Obj spec) {
        // Off unless it says that it is not.
        return spec.object("tektonpruner").has("disabled") && !spec.flag("tektonpruner", "disabled");
    }

    static Json.Obj global(Json.Obj spec) {
        return spec.object("tektonpruner", "global-config");
    }

    static Optional<String> problem(Json.Obj spec) {
        if (!isOn(spec)) {
            return Optional.empty();
        }
        if (Pruner.isOn(spec)) {
            return Optional.of("Invalid Pruner Configuration!! Both pruners, tektonpruner(event based) and pruner(job"
                    + " based) cannot be enabled simultaneously");
        }
        var global = global(spec);
        var level = global.string("enforcedConfigLevel");
        if (!List.of("", "global", "namespace", "resource").contains(level)) {
            return Optional.of("invalid value: " + level + ": spec.tektonpruner.global-config.enforcedConfigLevel");
        }
        for (var field : LIMITS) {
            if (global.has(field) && global.integer(field) < 0) {
                return Optional.of(
                        "invalid value: " + global.integer(field) + ": spec.tektonpruner.global-config." + field);
            }
        }
        return Optional.empty();
    }

    /// What holds in a namespace: what the platform says, what it says about the namespace, and, where it lets it, what
    /// the namespace says itself.
    ///
    /// @param own its ConfigMap, where there is one
    static Limits limits(Json.Obj global, String namespace, Optional<Resource> own) {
        var said = new ArrayList<>(List.of(global.object("namespaces", namespace), global));
        if (!List.of("", "global").contains(global.string("enforcedConfigLevel"))) {
            own.flatMap(EventPruner::config).ifPresent(config -> said.addFirst(config));
        }
        var both = number(said, "historyLimit");
        var successful = number(said, "successfulHistoryLimit");
        var failed = number(said, "failedHistoryLimit");
        return new Limits(
                number(said, "ttlSecondsAfterFinished"),
                successful.isPresent() ? successful : both,
                failed.isPresent() ? failed : both);
    }

    private static Optional<Json.Obj> config(Resource map) {
        try {
            return YamlText.parse(map.json().string("data", "ns-config")) instanceof Json.Obj object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    /// The first that says it.
    private static OptionalLong number(List<Json.Obj> said, String field) {
        return said.stream()
                .filter(each -> each.has(field) && each.integer(field) >= 0)
                .mapToLong(each -> each.integer(field))
                .findFirst();
    }

    /// Those of one namespace and kind that go.
    static List<Resource> gone(Limits limits, List<Resource> runs, Instant now) {
        var done = runs.stream().filter(Pruner::isDone).toList();
        var gone = new ArrayList<Resource>();
        if (limits.ttl().isPresent()) {
            var oldest = now.minus(Duration.ofSeconds(limits.ttl().getAsLong()));
            done.stream().filter(run -> !ended(run).isAfter(oldest)).forEach(gone::add);
        }
        Map<String, List<Resource>> groups = done.stream()
                .collect(Collectors.groupingBy(
                        run -> Pruner.definition(run) + (Pruner.hasSucceeded(run) ? "/+" : "/-")));
        groups.forEach((name, group) -> {
            var most = name.endsWith("+") ? limits.successful() : limits.failed();
            if (most.isPresent()) {
                group.stream()
                        .sorted(Comparator.comparing(EventPruner::ended)
                                .thenComparing(Resource::name)
                                .reversed())
                        .skip(most.getAsLong())
                        .filter(run -> !gone.contains(run))
                        .forEach(gone::add);
            }
        });
        return gone;
    }

    /// When the next one is old enough.
    static Optional<Instant> next(Limits limits, List<Resource> runs, Instant now) {
        return limits.ttl().isEmpty()
                ? Optional.empty()
                : runs.stream()
                        .filter(Pruner::isDone)
                        .map(run -> ended(run).plusSeconds(limits.ttl().getAsLong()))
                        .filter(moment -> moment.isAfter(now))
                        .min(Comparator.naturalOrder());
    }

    private static Instant ended(Resource run) {
        return Timestamps.parseSeconds(run.status().string("completionTime")).orElse(Instant.EPOCH);
    }
}

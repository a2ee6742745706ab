package dev.towtank.controllers.operator;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a TektonConfig comes to: ConfigMaps, the TektonResult, and which of its fields change nothing here.
///
/// @param maps by namespace and name, what they say
/// @param result the spec of the TektonResult; absent where nothing is archived
record RenderedConfig(
        Map<Place, Map<String, String>> maps,
        Optional<Json.Obj> result,
        List<String> withoutEffect,
        List<String> problems) {

    private static final String PIPELINES = "tekton-pipelines";
    private static final String RESOLVERS = "tekton-pipelines-resolvers";

    private static final Map<String, Place> RESOLVER_MAPS = Map.of(
            "bundles-resolver-config", new Place(RESOLVERS, "bundleresolver-config"),
            "hub-resolver-config", new Place(RESOLVERS, "hubresolver-config"),
            "git-resolver-config", new Place(RESOLVERS, "git-resolver-config"),
            "cluster-resolver-config", new Place(RESOLVERS, "cluster-resolver-config"));

    private static final Set<String> RESOLVER_FLAGS =
            Set.of("enable-bundles-resolver", "enable-hub-resolver", "enable-git-resolver", "enable-cluster-resolver");

    /// What the engine reads of its feature flags; the others are those of releases long ago.
    private static final Set<String> FLAGS = Set.of(
            "disable-creds-init",
            "await-sidecar-readiness",
            "running-in-environment-with-injected-sidecars",
            "require-git-ssh-secret-known-hosts",
            "enable-api-fields",
            "send-cloudevents-for-runs",
            "trusted-resources-verification-no-match-policy",
            "enable-provenance-in-status",
            "keep-pod-on-cancel",
            "results-from",
            "max-result-size",
            "set-security-context",
            "coschedule",
            "enable-cel-in-whenexpression",
            "enable-param-enum",
            "disable-inline-spec");

    /// In the feature flags: what Tekton's controller is told by an option.
    private static final String THREADS = "towtank-threads-per-controller";

    private static final Set<String> KNOWN = Set.of(
            "targetNamespace", "profile", "pipeline", "trigger", "result", "platforms", "pruner", "tektonpruner");

    private static final Set<String> PRUNER = Set.of(
            "disabled", "schedule", "startingDeadlineSeconds", "resources", "keep", "keep-since", "prune-per-resource");

    /// In the settings of Pipelines-as-Code: whether it answers no events.
    private static final String DISABLED = "towtank-disabled";

    record Place(String namespace, String name) {}

    static RenderedConfig of(Resource config) {
        var spec = config.spec();
        var maps = new LinkedHashMap<Place, Map<String, String>>();
        var without = new TreeSet<String>();
        var problems = new ArrayList<String>();
        pipeline(spec.object("pipeline"), maps, without);
        spec.forEach((field, value) -> {
            if (!KNOWN.contains(field)) {
                without.add(field);
            }
        });
        spec.object("trigger").forEach((field, value) -> {
            if (field.equals("options")) {
                options("trigger", spec.object("trigger", "options"), maps, without);
            } else if (!field.equals("disabled")) {
                without.add("trigger." + field);
            }
        });
        spec.object("pruner").forEach((field, value) -> {
            if (!PRUNER.contains(field)) {
                without.add("pruner." + field);
            }
        });
        eventPruner(spec, maps, without);
        pipelinesAsCode(spec, maps, without);
        if (!Set.of("", "lite", "basic", "all").contains(spec.string("profile"))) {
            problems.add("invalid value: " + spec.string("profile") + ": spec.profile");
        }
        Pruner.problem(spec).ifPresent(problems::add);
        performanceProblem(spec.object("pipeline", "performance")).ifPresent(problems::add);
        EventPruner.problem(spec).ifPresent(problems::add);
        boolean archives =
                !spec.flag("result", "disabled") && !spec.string("profile").equals("lite");
        var namespace = spec.string("targetNamespace");
        var result = spec.object("result").without("disabled");
        return new RenderedConfig(
                maps,
                archives
                        ? Optional.of(namespace.isEmpty() ? result : result.with("targetNamespace", Json.of(namespace)))
                        : Optional.empty(),
                List.copyOf(without),
                problems);
    }

    private static void eventPruner(Json.Obj spec, Map<Place, Map<String, String>> maps, Set<String> without) {
        spec.object("tektonpruner").forEach((field, value) -> {
            if (field.equals("global-config") && EventPruner.isOn(spec)) {
                put(maps, new Place(PIPELINES, EventPruner.GLOBAL_MAP), field, Json.of(YamlText.write(value)));
            } else if (!List.of("disabled", "global-config").contains(field)) {
                without.add("tektonpruner." + field);
            }
        });
    }

    /// ConfigMaps that somebody gives whole have the last word; for deployments and the like there is nothing.
    private static void options(
            String section, Json.Obj options, Map<Place, Map<String, String>> maps, Set<String> without) {
        if (options.flag("disabled")) {
            return;
        }
        options.forEach((field, value) -> {
            if (field.equals("configMaps") && value instanceof Json.Obj all) {
                all.keys()
                        .forEach(name -> all.object(name, "data")
                                .forEach((key, each) -> put(maps, new Place(PIPELINES, name), key, each)));
            } else if (!field.equals("disabled")) {
                without.add(section + ".options." + field);
            }
        });
    }

    private static void pipeline(Json.Obj pipeline, Map<Place, Map<String, String>> maps, Set<String> without) {
        pipeline.forEach((field, value) -> {
            if (field.equals("options")) {
                // Behind all others.
                return;
            }
            if (field.equals("performance") && value instanceof Json.Obj performance) {
                performance(performance, maps, without);
            } else if (field.startsWith("default-")) {
                put(maps, new Place(PIPELINES, "config-defaults"), field, value);
            } else if (RESOLVER_FLAGS.contains(field)) {
                put(maps, new Place(RESOLVERS, "resolvers-feature-flags"), field, value);
            } else if (RESOLVER_MAPS.containsKey(field) && value instanceof Json.Obj data) {
                var place = RESOLVER_MAPS.getOrDefault(field, new Place(RESOLVERS, field));
                data.forEach((key, each) -> put(maps, place, key, each));
            } else if (FLAGS.contains(field)) {
                put(maps, new Place(PIPELINES, "feature-flags"), field, value);
            } else {
                without.add("pipeline." + field);
            }
        });
        options("pipeline", pipeline.object("options"), maps, without);
    }

    /// The engine's workers are what it has; the rest is about copies of it, and about calls over a network.
    private static void performance(Json.Obj performance, Map<Place, Map<String, String>> maps, Set<String> without) {
        performance.forEach((field, value) -> {
            if (field.equals("threads-per-controller")) {
                put(maps, new Place(PIPELINES, "feature-flags"), THREADS, value);
            } else {
                without.add("pipeline.performance." + field
                        + (field.startsWith("kube-api-")
                                ? " (calls within the process are not counted)"
                                : " (there is one process)"));
            }
        });
    }

    private static Optional<String> performanceProblem(Json.Obj performance) {
        var bounds = Map.of("buckets", 10L, "threads-per-controller", 256L);
        return performance.keys().stream()
                .filter(bounds::containsKey)
                .filter(field ->
                        performance.integer(field) < 1 || performance.integer(field) > bounds.getOrDefault(field, 0L))
                .map(field -> "expected 1 <= " + performance.integer(field) + " <= " + bounds.get(field)
                        + ": spec.pipeline.performance." + field)
                .findFirst();
    }

    private static void pipelinesAsCode(Json.Obj spec, Map<Place, Map<String, String>> maps, Set<String> without) {
        for (var platform : List.of("kubernetes", "openshift")) {
            var said = spec.object("platforms", platform);
            said.object("pipelinesAsCode").forEach((field, value) -> {
                if (field.equals("settings") && value instanceof Json.Obj settings) {
                    settings.forEach((key, each) -> {
                        put(maps, new Place("pipelines-as-code", "pipelines-as-code"), key, each);
                        if (!PacKinds.isSetting(key)) {
                            without.add("platforms." + platform + ".pipelinesAsCode.settings." + key);
                        }
                    });
                } else if (field.equals("enable")) {
                    put(
                            maps,
                            new Place("pipelines-as-code", "pipelines-as-code"),
                            DISABLED,
                            Json.of(!value.equals(Json.Bool.TRUE)));
                } else {
                    without.add("platforms." + platform + ".pipelinesAsCode." + field);
                }
            });
            said.forEach((field, value) -> {
                if (!field.equals("pipelinesAsCode")) {
                    without.add("platforms." + platform + "." + field);
                }
            });
        }
    }

    private static void put(Map<Place, Map<String, String>> maps, Place place, String key, Json value) {
        maps.computeIfAbsent(place, _ -> new TreeMap<>())
                .put(key, value instanceof Json.Str(var text) ? text : JsonText.write(value));
    }
}

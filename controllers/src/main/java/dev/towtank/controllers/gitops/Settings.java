package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.Globs;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.ScriptedHealth;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an administrator set for all applications: in the ConfigMap argocd-cm, and in ArgoCD objects, which win.
///
/// @param ignored differences that no application sees
/// @param problems what of it has no effect, for people
record Settings(ScriptedHealth health, List<Json.Obj> ignored, Exclusions exclusions, List<String> problems) {

    private static final String HEALTH = "resource.customizations.health.";
    private static final String OPEN = "resource.customizations.useOpenLibs.";
    private static final String IGNORED = "resource.customizations.ignoreDifferences.";

    /// Kinds that are as if no repository had them.
    record Exclusions(List<Json.Obj> out, List<Json.Obj> in) {

        boolean exclude(ResourceKey key) {
            return out.stream().anyMatch(each -> names(each, key))
                    || (!in.isEmpty() && in.stream().noneMatch(each -> names(each, key)));
        }

        private static boolean names(Json.Obj rule, ResourceKey key) {
            return isAmong(rule.array("apiGroups").strings(), key.group())
                    && isAmong(rule.array("kinds").strings(), key.kind());
        }

        private static boolean isAmong(List<String> patterns, String text) {
            return patterns.isEmpty() || patterns.stream().anyMatch(each -> Globs.matches(each, text));
        }
    }

    static Settings read(LogicalCluster cluster, Cache configMaps, Cache instances) {
        return of(
                configMaps.get(new ObjectName(cluster, GitOpsKinds.NAMESPACE, "argocd-cm")),
                GitOpsKinds.SETTINGS_NAMESPACES.stream()
                        .flatMap(namespace -> instances.in(cluster, namespace).stream())
                        .toList());
    }

    /// @param configMap argocd-cm, where there is one
    static Settings of(Optional<Resource> configMap, List<Resource> instances) {
        var reading = new Reading();
        configMap.ifPresent(found -> reading.add(found.json().stringMap("data")));
        instances.forEach(reading::add);
        return reading.settings();
    }

    private static final class Reading {
        private final Map<String, ScriptedHealth.Script> scripts = new HashMap<>();
        private final List<Json.Obj> ignored = new ArrayList<>();
        private final List<Json.Obj> out = new ArrayList<>();
        private final List<Json.Obj> in = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        Settings settings() {
            var health = new ScriptedHealth(scripts);
            problems.addAll(health.problems());
            problems.addAll(new Differences(ignored).problems());
            return new Settings(health, List.copyOf(ignored), new Exclusions(out, in), List.copyOf(problems));
        }

        void add(Map<String, String> data) {
            data.forEach((key, text) -> {
                if (key.startsWith(HEALTH)) {
                    var name = key.substring(HEALTH.length());
                    boolean isOpen = data.getOrDefault(OPEN + name, "").equals("true");
                    scripts.put(name, new ScriptedHealth.Script(text, isOpen));
                } else if (key.startsWith(IGNORED)) {
                    ignored.add(rule(key.substring(IGNORED.length()), object(key, text)));
                } else if (key.equals("resource.customizations")) {
                    object(key, text).forEach((name, value) -> customization(name.replace('/', '_'), value));
                } else if (key.equals("resource.exclusions")) {
                    out.addAll(list(key, text));
                } else if (key.equals("resource.inclusions")) {
                    in.addAll(list(key, text));
                } else if (!key.startsWith(OPEN)) {
                    problems.add("the key " + key + " of argocd-cm has no effect here");
                }
            });
        }

        private void customization(String name, Json value) {
            if (value instanceof Json.Obj rule) {
                if (rule.has("health.lua")) {
                    scripts.put(
                            name,
                            new ScriptedHealth.Script(rule.string("health.lua"), rule.flag("health.lua.useOpenLibs")));
                }
                if (rule.has("ignoreDifferences")) {
                    ignored.add(rule(name, object("resource.customizations", rule.string("ignoreDifferences"))));
                }
            }
        }

        /// `all` means all kinds.
        private static Json.Obj rule(String name, Json.Obj rule) {
            int bar = name.lastIndexOf('_');
            boolean isAll = name.equals("all");
            return rule.with("group", Json.of(isAll ? "*" : bar < 0 ? "" : name.substring(0, bar)))
                    .with("kind", Json.of(isAll ? "*" : name.substring(bar + 1)));
        }

        void add(Resource instance) {
            var spec = instance.spec();
            spec.objects("resourceHealthChecks")
                    .forEach(check -> scripts.put(
                            ScriptedHealth.name(check.string("group"), check.string("kind")),
                            new ScriptedHealth.Script(check.string("check"), false)));
            spec.objects("ignoreDifferences").forEach(ignored::add);
            var differences = spec.object("resourceIgnoreDifferences");
            if (differences.has("all")) {
                ignored.add(rule("all", differences.object("all")));
            }
            differences
                    .objects("resourceIdentifiers")
                    .forEach(each -> ignored.add(each.object("customization")
                            .with("group", Json.of(each.string("group")))
                            .with("kind", Json.of(each.string("kind")))));
            out.addAll(list("spec.resourceExclusions", spec.string("resourceExclusions")));
            in.addAll(list("spec.resourceInclusions", spec.string("resourceInclusions")));
        }

        private Json.Obj object(String key, String text) {
            return parsed(key, text) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
        }

        private List<Json.Obj> list(String key, String text) {
            return !text.isBlank() && parsed(key, text) instanceof Json.Arr list ? list.objects() : List.of();
        }

        private Json parsed(String key, String text) {
            try {
                return YamlText.parse(text);
            } catch (JsonText.Malformed e) {
                problems.add(key + " cannot be read: " + e.getMessage());
                return Json.Null.NULL;
            }
        }
    }
}

package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.ProjectGlobs;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.ScriptedHealth;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What an administrator set for all applications: in the ConfigMap argocd-cm, and in ArgoCD objects, which win.
///
/// @param ignored differences that no application sees
/// @param betweenWaves by the variable that Argo CD's controller has for it
/// @param problems what of it has no effect, for people
record GitOpsSettings(
        ScriptedHealth health,
        List<Json.Obj> ignored,
        Exclusions exclusions,
        Duration betweenWaves,
        List<String> problems) {

    private static final String HEALTH = "resource.customizations.health.";
    private static final String OPEN = "resource.customizations.useOpenLibs.";
    private static final String PROFILE = "resource.exclusions.profile";
    static final String WAVE_DELAY = "ARGOCD_SYNC_WAVE_DELAY";
    private static final int LONGEST_DELAY = 3600;
    private static final String IGNORED = "resource.customizations.ignoreDifferences.";

    /// Kinds that are as if no repository had them.
    record Exclusions(List<Json.Obj> out, List<Json.Obj> in) {

        boolean exclude(ResourceKey key) {
            return out.stream().anyMatch(each -> names(each, key))
                    || (!in.isEmpty() && in.stream().noneMatch(each -> names(each, key)));
        }

        /// What others leave out from the start, for repositories that count on it.
        static Optional<List<Json.Obj>> profile(String name) {
            return switch (name) {
                case "upstream" -> Optional.of(UPSTREAM);
                case "openshift" ->
                    Optional.of(
                            Stream.concat(UPSTREAM.stream(), TEKTON.stream()).toList());
                default -> Optional.empty();
            };
        }

        private static final List<Json.Obj> TEKTON = List.of(rule("tekton.dev", "TaskRun", "PipelineRun"));
        private static final List<Json.Obj> UPSTREAM = List.of(
                rule("", "Endpoints"),
                rule("discovery.k8s.io", "EndpointSlice"),
                rule("coordination.k8s.io", "Lease"),
                rule("authentication.k8s.io", "SelfSubjectReview", "TokenReview"),
                rule(
                        "authorization.k8s.io",
                        "LocalSubjectAccessReview",
                        "SelfSubjectAccessReview",
                        "SelfSubjectRulesReview",
                        "SubjectAccessReview"),
                rule("certificates.k8s.io", "CertificateSigningRequest"),
                rule("cert-manager.io", "CertificateRequest"),
                rule("cilium.io", "CiliumIdentity", "CiliumEndpoint", "CiliumEndpointSlice"),
                rule(
                        "kyverno.io",
                        "PolicyReport",
                        "ClusterPolicyReport",
                        "EphemeralReport",
                        "ClusterEphemeralReport",
                        "AdmissionReport",
                        "ClusterAdmissionReport",
                        "BackgroundScanReport",
                        "ClusterBackgroundScanReport",
                        "UpdateRequest"),
                rule("reports.kyverno.io", "EphemeralReport", "ClusterEphemeralReport"),
                rule("wgpolicyk8s.io", "PolicyReport", "ClusterPolicyReport"));

        private static Json.Obj rule(String group, String... kinds) {
            return Json.Obj.of(
                    "apiGroups", Json.Arr.ofStrings(List.of(group)), "kinds", Json.Arr.ofStrings(List.of(kinds)));
        }

        private static boolean names(Json.Obj rule, ResourceKey key) {
            return isAmong(rule.array("apiGroups").strings(), key.group())
                    && isAmong(rule.array("kinds").strings(), key.kind());
        }

        private static boolean isAmong(List<String> patterns, String text) {
            return patterns.isEmpty() || patterns.stream().anyMatch(each -> ProjectGlobs.matches(each, text));
        }
    }

    /// @param configMap argocd-cm, where there is one
    static GitOpsSettings of(Optional<Resource> configMap, List<Resource> instances) {
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
        private Duration betweenWaves = Duration.ZERO;

        GitOpsSettings settings() {
            var health = new ScriptedHealth(scripts);
            problems.addAll(health.problems());
            problems.addAll(new Differences(ignored).problems());
            return new GitOpsSettings(
                    health, List.copyOf(ignored), new Exclusions(out, in), betweenWaves, List.copyOf(problems));
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
                } else if (key.equals(PROFILE)) {
                    Exclusions.profile(text.strip())
                            .ifPresentOrElse(
                                    out::addAll,
                                    () -> problems.add(key + " is " + text + "; there are upstream and openshift"));
                } else if (key.equals("application.resourceTrackingMethod")
                        && !text.strip().equals("annotation")) {
                    problems.add(key + " is " + text.strip()
                            + ", which is not served: objects are tracked by annotation. Labels are"
                            + " copied to the runs and pods that controllers make, which would then be pruned");
                } else if (!key.startsWith(OPEN) && !key.equals("application.resourceTrackingMethod")) {
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
            spec.objects("controller", "env").stream()
                    .filter(each -> each.string("name").equals(WAVE_DELAY))
                    .forEach(each -> delay(each.string("value")));
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

        private void delay(String seconds) {
            if (seconds.matches("\\d{1,4}") && Integer.parseInt(seconds) <= LONGEST_DELAY) {
                betweenWaves = Duration.ofSeconds(Integer.parseInt(seconds));
            } else {
                problems.add(
                        WAVE_DELAY + " is '" + seconds + "', and has to be a number of seconds up to " + LONGEST_DELAY);
            }
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

package dev.towtank.controllers.pipelines.runs;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the ConfigMaps `feature-flags` and `config-defaults` say, with Tekton's defaults where they say nothing.
///
/// @param flags data of `feature-flags`
/// @param defaults data of `config-defaults`
public record EngineSettings(Map<String, String> flags, Map<String, String> defaults) {

    public static final EngineSettings USUAL = new EngineSettings(Map.of(), Map.of());

    /// Where the ConfigMaps are.
    public static final String NAMESPACE = "tekton-pipelines";

    /// Not one of Tekton's: how many bytes of results a step may leave. `4096` is what Tekton on Kubernetes allows.
    public static final String RESULT_LIMIT = "towtank-result-limit";

    private static final int USUAL_RESULT_LIMIT = 512 * 1024;
    private static final int LARGEST_RESULT_LIMIT = 1024 * 1024;
    private static final int USUAL_TIMEOUT_MINUTES = 60;

    public EngineSettings {
        flags = Map.copyOf(flags);
        defaults = Map.copyOf(defaults);
    }

    private boolean flag(String name, boolean usual) {
        return flags.containsKey(name) ? Boolean.parseBoolean(flags.get(name)) : usual;
    }

    public boolean isAlpha() {
        return flags.getOrDefault("enable-api-fields", "beta").equals("alpha");
    }

    public boolean createsCredentials() {
        return !flag("disable-creds-init", false);
    }

    public boolean requiresKnownHosts() {
        return flag("require-git-ssh-secret-known-hosts", false);
    }

    public boolean keepsPodOnCancel() {
        return flag("keep-pod-on-cancel", false);
    }

    public boolean checksEnums() {
        return flag("enable-param-enum", false);
    }

    public boolean compressesMessages() {
        return flag("enable-termination-message-compression", false) && !resultsFromSidecar();
    }

    public boolean resultsFromSidecar() {
        return flags.getOrDefault("results-from", "termination-message").equals("sidecar-logs");
    }

    public boolean nativeSidecars() {
        return flag("enable-kubernetes-sidecar", false);
    }

    public boolean setsSecurityContext() {
        return flag("set-security-context", false);
    }

    public boolean setsReadOnlyRoot() {
        return flag("set-security-context-read-only-root-filesystem", false);
    }

    public boolean keepsProvenance() {
        return flag("enable-provenance-in-status", true);
    }

    /// Whether the first step may start before the controller has seen that all other containers run. Nobody injects
    /// containers into pods of our own node, so without sidecars there is nothing to wait for.
    public boolean isReadyAtOnce(boolean hasSidecars) {
        var mayBeInjected = flags.containsKey("running-in-environment-with-injected-sidecars")
                && flag("running-in-environment-with-injected-sidecars", true);
        return !(hasSidecars || mayBeInjected) || !flag("await-sidecar-readiness", true);
    }

    /// Whether a run may use only one claim.
    public boolean schedulesByWorkspace() {
        return flags.getOrDefault("coschedule", "workspaces").equals("workspaces");
    }

    /// Whether claims made of templates go away with the end of their run.
    public boolean removesClaims() {
        var mode = flags.getOrDefault("coschedule", "workspaces");
        return mode.equals("pipelineruns") || mode.equals("isolate-pipelinerun");
    }

    /// The largest result in the sidecar mode.
    public int largestResult() {
        return number(flags, "max-result-size", 4096);
    }

    public int resultLimit() {
        return Math.min(number(flags, RESULT_LIMIT, USUAL_RESULT_LIMIT), LARGEST_RESULT_LIMIT);
    }

    public Duration timeout() {
        return Duration.ofMinutes(number(defaults, "default-timeout-minutes", USUAL_TIMEOUT_MINUTES));
    }

    public String serviceAccount() {
        return defaults.getOrDefault("default-service-account", "default");
    }

    public String managedBy() {
        return defaults.getOrDefault("default-managed-by-label-value", "tekton-pipelines");
    }

    public int matrixLimit() {
        return number(defaults, "default-max-matrix-combinations-count", 256);
    }

    public Set<String> forbiddenEnvironment() {
        var text = defaults.getOrDefault("default-forbidden-env", "");
        return text.isBlank() ? Set.of() : Set.of(text.split("\\s*,\\s*", -1));
    }

    public Duration imagePullTimeout() {
        return duration("default-imagepullbackoff-timeout", Duration.ZERO);
    }

    public Duration containerErrorTimeout() {
        return duration("default-create-container-error-timeout", Duration.ZERO);
    }

    public Duration resolutionTimeout() {
        return duration("default-maximum-resolution-timeout", Duration.ofMinutes(1));
    }

    /// A binding without a name for workspaces that a run leaves out.
    public Optional<Json.Obj> defaultWorkspace() {
        var text = defaults.getOrDefault("default-task-run-workspace-binding", "");
        try {
            return !text.isBlank() && YamlText.parse(text) instanceof Json.Obj binding
                    ? Optional.of(binding)
                    : Optional.empty();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /// Requests and limits for containers without any, by container name or `default`.
    public Json.Obj containerResources() {
        var text = defaults.getOrDefault("default-container-resource-requirements", "");
        try {
            return !text.isBlank() && YamlText.parse(text) instanceof Json.Obj all ? all : Json.Obj.EMPTY;
        } catch (RuntimeException e) {
            return Json.Obj.EMPTY;
        }
    }

    private static int number(Map<String, String> data, String key, int usual) {
        try {
            return Integer.parseInt(
                    data.getOrDefault(key, String.valueOf(usual)).strip());
        } catch (NumberFormatException e) {
            return usual;
        }
    }

    private Duration duration(String key, Duration usual) {
        try {
            return defaults.containsKey(key) ? Durations.parse(defaults.get(key).strip()) : usual;
        } catch (Durations.Malformed e) {
            return usual;
        }
    }

    /// As the provenance of a run shows them.
    public Json.Obj provenance() {
        var all = new LinkedHashMap<String, Json>();
        all.put("awaitSidecarReadiness", Json.of(flag("await-sidecar-readiness", true)));
        all.put("coschedule", Json.of(flags.getOrDefault("coschedule", "workspaces")));
        all.put("enableAPIFields", Json.of(flags.getOrDefault("enable-api-fields", "beta")));
        all.put("enableProvenanceInStatus", Json.of(true));
        all.put("enforceNonfalsifiability", Json.of(flags.getOrDefault("enforce-nonfalsifiability", "none")));
        all.put("maxResultSize", Json.of(largestResult()));
        all.put("resultExtractionMethod", Json.of(flags.getOrDefault("results-from", "termination-message")));
        all.put(
                "runningInEnvWithInjectedSidecars",
                Json.of(flag("running-in-environment-with-injected-sidecars", true)));
        all.put(
                "verificationNoMatchPolicy",
                Json.of(flags.getOrDefault("trusted-resources-verification-no-match-policy", "ignore")));
        for (var name : List.of("enable-artifacts", "enable-param-enum", "keep-pod-on-cancel", "disable-creds-init")) {
            if (flag(name, false)) {
                all.put(camel(name), Json.of(true));
            }
        }
        return Json.Obj.copyOf(all);
    }

    private static String camel(String name) {
        var result = new StringBuilder();
        for (var word : name.split("-", -1)) {
            result.append(result.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return result.toString();
    }
}

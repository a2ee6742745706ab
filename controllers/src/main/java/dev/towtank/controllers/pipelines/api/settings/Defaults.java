package dev.towtank.controllers.pipelines.api.settings;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The ConfigMap `config-defaults`.
///
/// @param resourceRequirements by container name, `prefix-*` or `default`
public record Defaults(
        Duration timeout,
        String serviceAccount,
        String managedByLabelValue,
        Optional<Json.Obj> podTemplate,
        Optional<Json.Obj> affinityAssistantPodTemplate,
        String cloudEventsSink,
        String taskRunWorkspaceBinding,
        int maxMatrixCombinations,
        List<String> forbiddenEnv,
        String resolverType,
        Json.Obj resourceRequirements,
        Duration imagePullBackOffTimeout,
        Duration createContainerErrorTimeout,
        Duration maximumResolutionTimeout,
        Duration sidecarLogPollingInterval,
        int stepRefConcurrencyLimit) {

    public static final String CONFIG_MAP = "config-defaults";

    public static final Defaults INITIAL = read(Map.of());

    public Defaults {
        forbiddenEnv = List.copyOf(forbiddenEnv);
    }

    /// @throws Settings.Malformed where a value makes no sense
    public static Defaults read(Map<String, String> data) {
        var values = new Values(data);
        return new Defaults(
                Duration.ofMinutes(values.number("default-timeout-minutes", 60)),
                data.getOrDefault("default-service-account", "default"),
                data.getOrDefault("default-managed-by-label-value", "tekton-pipelines"),
                values.object("default-pod-template"),
                values.object("default-affinity-assistant-pod-template"),
                data.getOrDefault("default-cloud-events-sink", ""),
                data.getOrDefault("default-task-run-workspace-binding", ""),
                values.number("default-max-matrix-combinations-count", 256),
                values.names("default-forbidden-env"),
                data.getOrDefault("default-resolver-type", ""),
                values.object("default-container-resource-requirements").orElse(Json.Obj.EMPTY),
                values.duration("default-imagepullbackoff-timeout", Duration.ZERO),
                values.duration("default-create-container-error-timeout", Duration.ZERO),
                values.duration("default-maximum-resolution-timeout", Duration.ofMinutes(1)),
                values.duration("default-sidecar-log-polling-interval", Duration.ofMillis(100)),
                values.number("default-step-ref-concurrency-limit", 5));
    }

    private record Values(Map<String, String> data) {

        int number(String key, int otherwise) {
            try {
                return Integer.parseInt(data.getOrDefault(key, String.valueOf(otherwise)));
            } catch (NumberFormatException e) {
                throw new Settings.Malformed("failed parsing default config \"" + key + "\"");
            }
        }

        Duration duration(String key, Duration otherwise) {
            try {
                var text = data.get(key);
                return text == null ? otherwise : Durations.parse(text);
            } catch (Durations.Malformed e) {
                throw new Settings.Malformed("failed parsing default config \"" + key + "\"");
            }
        }

        List<String> names(String key) {
            var text = data.get(key);
            return text == null
                    ? List.of()
                    : Arrays.stream(text.split(",", -1))
                            .map(String::strip)
                            .distinct()
                            .sorted()
                            .toList();
        }

        Optional<Json.Obj> object(String key) {
            var text = data.get(key);
            if (text == null) {
                return Optional.empty();
            }
            try {
                switch (YamlText.parse(text)) {
                    case Json.Obj object -> {
                        return Optional.of(object);
                    }
                    case Json.Null _ -> {
                        return Optional.of(Json.Obj.EMPTY);
                    }
                    case Json.Arr _, Json.Str _, Json.Bool _, Json.Int _, Json.Real _ -> {}
                }
            } catch (JsonText.Malformed e) {
                throw new Settings.Malformed("failed to unmarshal " + text);
            }
            throw new Settings.Malformed("failed to unmarshal " + text);
        }
    }
}

package dev.towtank.controllers.pipelines.api.settings;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Records;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What the administrator has decided, as it is at the moment.
///
/// @param resultLimit how many bytes of results a step may leave
/// @param threads how many runs of a kind are looked at at once
/// @param expectsInjectedSidecars whether the flag about them was set by hand: by itself it holds for other nodes only
/// @param provenance the flags as runs show them: without what is off
public record Settings(
        Defaults defaults,
        FeatureFlags flags,
        EventSettings events,
        int resultLimit,
        int threads,
        boolean expectsInjectedSidecars,
        Json.Obj provenance) {

    /// Where the ConfigMaps are.
    public static final String NAMESPACE = "tekton-pipelines";

    /// Not one of Tekton's: how many bytes of results a step may leave. `4096` is what Tekton on Kubernetes allows.
    public static final String RESULT_LIMIT = "towtank-result-limit";

    /// Not one of Tekton's, whose controller has an option for it: how many runs of a kind are looked at at once.
    public static final String THREADS = "towtank-threads-per-controller";

    private static final int USUAL_THREADS = 8;
    private static final int MOST_THREADS = 256;

    private static final String INJECTED_SIDECARS = "running-in-environment-with-injected-sidecars";
    private static final int USUAL_RESULT_LIMIT = 512 * 1024;
    private static final int LARGEST_RESULT_LIMIT = 1024 * 1024;

    /// Where nobody decided anything.
    public static final Settings INITIAL = read(Map.of(), Map.of(), Map.of());

    /// What the data of the ConfigMaps says. One with a value that makes no sense counts as if nobody had written it:
    /// the runs go on, and whoever writes one is refused with what [FeatureFlags#read] and the others say.
    public static Settings read(Map<String, String> defaults, Map<String, String> flags, Map<String, String> events) {
        var read = readOr(FeatureFlags.INITIAL, FeatureFlags::read, flags);
        return new Settings(
                readOr(Defaults.INITIAL, Defaults::read, defaults),
                read,
                readOr(EventSettings.INITIAL, EventSettings::read, events),
                number(flags, RESULT_LIMIT, USUAL_RESULT_LIMIT, LARGEST_RESULT_LIMIT),
                number(flags, THREADS, USUAL_THREADS, MOST_THREADS),
                flags.containsKey(INJECTED_SIDECARS) && read.runningInEnvWithInjectedSidecars(),
                provenance(read));
    }

    public static Settings read(Map<String, String> defaults, Map<String, String> flags) {
        return read(defaults, flags, Map.of());
    }

    private static int number(Map<String, String> flags, String name, int usual, int largest) {
        try {
            var text = flags.getOrDefault(name, String.valueOf(usual));
            return Math.clamp(Integer.parseInt(text.strip()), 1, largest);
        } catch (NumberFormatException e) {
            return usual;
        }
    }

    private static <T> T readOr(T otherwise, Function<Map<String, String>, T> reader, Map<String, String> data) {
        try {
            return reader.apply(data);
        } catch (Malformed e) {
            return otherwise;
        }
    }

    public boolean isAlpha() {
        return flags.allows(FeatureFlags.ALPHA);
    }

    public boolean createsCredentials() {
        return !flags.disableCredsInit();
    }

    public boolean compressesMessages() {
        return flags.enableTerminationMessageCompression() && !resultsFromSidecar();
    }

    public boolean resultsFromSidecar() {
        return flags.resultExtractionMethod().equals("sidecar-logs");
    }

    /// Whether the first step may start before the controller has seen that all other containers run. Nobody injects
    /// containers into pods of our own node, so without sidecars there is nothing to wait for.
    public boolean isReadyAtOnce(boolean hasSidecars) {
        return !(hasSidecars || expectsInjectedSidecars) || !flags.awaitSidecarReadiness();
    }

    /// Whether a run may use only one claim.
    public boolean schedulesByWorkspace() {
        return flags.coschedule().equals("workspaces");
    }

    /// Whether claims made of templates go away with the end of their run.
    public boolean removesClaims() {
        return flags.coschedule().equals("pipelineruns") || flags.coschedule().equals("isolate-pipelinerun");
    }

    public Duration timeout() {
        return defaults.timeout();
    }

    /// A binding without a name for workspaces that a run leaves out.
    public Optional<Json.Obj> defaultWorkspace() {
        var text = defaults.taskRunWorkspaceBinding();
        try {
            return !text.isBlank() && YamlText.parse(text) instanceof Json.Obj binding
                    ? Optional.of(binding)
                    : Optional.empty();
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    private static Json.Obj provenance(FeatureFlags flags) {
        var shown = Json.Obj.builder();
        Records.write(flags).forEach((name, value) -> {
            if (!value.equals(Json.of(false)) && !value.isEmpty()) {
                shown.put(name, value);
            }
        });
        return shown.build();
    }

    /// A ConfigMap has a value that makes no sense; the message is the one of Tekton.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }
}

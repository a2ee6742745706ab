package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.controllers.pipelines.conversion.Conversion;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Locale;
import java.util.Optional;

/// What is told about a run, as a CloudEvent.
///
/// @param source the run's path
/// @param data the run, in the version that all receivers know
record CloudEvent(String type, String source, String subject, Json.Obj data) {

    /// Of which kinds it may be told more than once.
    boolean isRepeated() {
        return type.contains(".unknown.");
    }

    static CloudEvent of(Resource run) {
        var kind = run.kind();
        var field = kind.substring(0, 1).toLowerCase(Locale.ROOT) + kind.substring(1);
        var source = "/apis/%s/namespaces/%s/%s/%s".formatted(run.apiVersion(), run.namespace(), kind, run.name());
        return new CloudEvent(type(run), source, run.name(), Json.Obj.of(field, shown(run)));
    }

    private static String type(Resource run) {
        var kind = run.kind().toLowerCase(Locale.ROOT);
        return "dev.tekton.event." + kind + "." + word(run, RunStatus.of(run).outcome()) + ".v1";
    }

    private static String word(Resource run, Optional<Outcome> outcome) {
        boolean isCustom = run.kind().equals("CustomRun");
        if (outcome.isEmpty()) {
            return isCustom ? "started" : "queued";
        }
        return switch (outcome.get().status()) {
            case "True" -> "successful";
            case "False" -> "failed";
            default -> isCustom ? "running" : unfinished(outcome.get().reason());
        };
    }

    private static String unfinished(String reason) {
        return switch (reason) {
            case "Started" -> "started";
            case "Running" -> "running";
            default -> "unknown";
        };
    }

    private static Json.Obj shown(Resource run) {
        var version = run.apiVersion().replaceFirst("^.*/", "");
        return version.equals("v1beta1")
                ? run.json()
                : Conversion.convert(run.json(), version, "v1beta1").with("apiVersion", Json.of("tekton.dev/v1beta1"));
    }
}

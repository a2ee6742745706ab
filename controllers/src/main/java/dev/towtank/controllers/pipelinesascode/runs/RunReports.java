package dev.towtank.controllers.pipelinesascode.runs;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// What is said about a run.
public final class RunReports {

    private RunReports() {}

    private static Json.Obj condition(Resource run) {
        return run.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    public static boolean isDone(Resource run) {
        var status = condition(run).string("status");
        return status.equals("True") || status.equals("False");
    }

    public static boolean hasSucceeded(Resource run) {
        return condition(run).string("status").equals("True");
    }

    public static boolean isCancelled(Resource run) {
        return condition(run).string("reason").equals("Cancelled")
                || condition(run).string("reason").equals("CancelledRunningFinally");
    }

    /// As a Repository shows its last runs.
    public static Json.Obj summary(Resource run) {
        return Json.Obj.builder()
                .put("pipelineRunName", run.name())
                .putNonEmpty("startTime", run.status().string("startTime"))
                .putNonEmpty("completionTime", run.status().string("completionTime"))
                .put("conditions", run.status().array("conditions"))
                .put("sha", annotation(run, "sha"))
                .putNonEmpty("sha_url", annotation(run, "sha-url"))
                .putNonEmpty("title", annotation(run, "sha-title"))
                .putNonEmpty("target_branch", annotation(run, "branch"))
                .put("event_type", annotation(run, "event-type"))
                .putNonEmpty("logurl", annotation(run, "log-url"))
                .build();
    }

    public static String reason(Resource run) {
        return condition(run).string("reason");
    }

    public static String message(Resource run) {
        return condition(run).string("message");
    }

    public static String state(Resource run) {
        return annotation(run, "state");
    }

    public static String annotation(Resource run, String name) {
        return run.annotations().getOrDefault(PacKinds.PREFIX + name, "");
    }

    public static boolean isOf(Resource run, String repository) {
        return run.annotations()
                .getOrDefault(PacKinds.PREFIX + "repository", "")
                .equals(repository);
    }

    /// The name under which a forge shows a run.
    public static String context(PacSettings settings, Resource run) {
        var original = annotation(run, "original-prname");
        return settings.applicationName() + " / "
                + (original.endsWith("-") ? original.substring(0, original.length() - 1) : original);
    }
}

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

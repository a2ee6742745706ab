package dev.towtank.app.applications;

import dev.towtank.controllers.gitops.api.MissingRight;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Why an Application is as it is: the one thing that blocks it, since when, and what would unblock it.
public final class AppExplanation {

    private final Json.Obj application;
    private final Surrounding surrounding;
    private final Instant now;
    private final List<String> lines = new ArrayList<>();

    private AppExplanation(Json.Obj application, Surrounding surrounding, Instant now) {
        this.application = application;
        this.surrounding = surrounding;
        this.now = now;
    }

    public static List<String> of(Json.Obj application, Surrounding surrounding, Instant now) {
        return new AppExplanation(application, surrounding, now)
                .explained().stream().flatMap(AppExplanation::indented).toList();
    }

    // What others tell may be several lines, which belong below the first.
    private static Stream<String> indented(String text) {
        var indent = " ".repeat(text.length() - text.stripLeading().length() + 2);
        return Stream.concat(text.lines().limit(1), text.lines().skip(1).map(line -> indent + line));
    }

    // Who waits for an image names the build, which may have done its own part long ago.
    private static final Pattern BUILD = Pattern.compile("BuildConfig/(\\S+), whose image");

    private Json.Obj status() {
        return application.object("status");
    }

    private List<String> explained() {
        var state = status().object("operationState");
        lines.add(application.string("metadata", "name") + ": "
                + or(status().string("sync", "status"), "not looked at yet") + ", "
                + or(status().string("health", "status"), "health not known"));
        var errors = status().objects("conditions").stream()
                .filter(each -> each.string("type").endsWith("Error")
                        && !each.string("type").equals("SyncError"))
                .toList();
        if (!errors.isEmpty()) {
            errors.forEach(each -> lines.add("  " + each.string("type") + ": " + each.string("message")));
            lines.add("  Nothing is applied until this is mended in Git or in the Application.");
        } else {
            switch (state.string("phase")) {
                case "Running" -> running(state);
                case "Failed", "Error" -> failed(state);
                case "Succeeded" -> succeeded(state);
                default ->
                    lines.add("  No sync has run. To start one: towtank app sync "
                            + application.string("metadata", "name"));
            }
        }
        status().objects("conditions").stream()
                .filter(each -> each.string("type").endsWith("Warning")
                        && !each.string("type").equals("SyncWarning")) // which is told with its hook
                .forEach(each -> lines.add("  " + each.string("type") + ": " + each.string("message")));
        return lines;
    }

    private static String or(String text, String other) {
        return text.isEmpty() ? other : text;
    }

    private void running(Json.Obj state) {
        lines.add(
                "  Syncing for " + since(state.string("startedAt")) + ": " + or(state.string("message"), "just begun"));
        var gates = state.objects("syncResult", "resources").stream()
                .filter(result -> result.string("hookPhase").equals("Running"))
                .toList();
        gates.forEach(this::blocked);
        var build = BUILD.matcher(state.string("message"));
        if (gates.isEmpty() && build.find()) {
            status().objects("resources").stream()
                    .filter(each -> each.string("kind").equals("BuildConfig")
                            && each.string("name").equals(build.group(1)))
                    .forEach(this::blocked);
        }
    }

    private void blocked(Json.Obj result) {
        var health = health(result);
        lines.add("  Blocked by " + name(result) + wave(result) + ": "
                + or(
                        health.map(it -> it.string("message")).orElse(""),
                        or(result.string("message"), "it is not healthy")));
        evidence(result).forEach(line -> lines.add("    " + line));
        lines.add(missingRight(result.string("message")).orElse("    To go on: " + cure(result)));
    }

    private Optional<Json.Obj> resource(Json.Obj result) {
        return status().objects("resources").stream()
                .filter(each -> each.string("kind").equals(result.string("kind"))
                        && each.string("group").equals(result.string("group"))
                        && each.string("name").equals(result.string("name")))
                .findFirst();
    }

    private Optional<Json.Obj> health(Json.Obj result) {
        return resource(result).map(each -> each.object("health"));
    }

    static String name(Json.Obj result) {
        var group = result.string("group");
        return (result.string("hookType").isEmpty() ? "" : "the " + result.string("hookType") + " hook ")
                + (group.isEmpty() ? "" : group + "/") + result.string("kind") + " " + result.string("name");
    }

    private String wave(Json.Obj result) {
        return resource(result)
                .map(each -> " (wave " + each.integer("syncWave") + ")")
                .orElse("");
    }

    /// What pods and events say about it, in the server's own words.
    private List<String> evidence(Json.Obj result) {
        var name = result.string("name");
        var found = new ArrayList<String>();
        for (var pod : surrounding.pods()) {
            if (pod.string("metadata", "name").startsWith(name)) {
                for (var container : pod.objects("status", "containerStatuses")) {
                    var waiting = container.object("state", "waiting");
                    if (!waiting.string("reason").isEmpty()) {
                        found.add("pod " + pod.string("metadata", "name") + ": " + waiting.string("reason") + " "
                                + waiting.string("message").lines().findFirst().orElse(""));
                    }
                }
            }
        }
        surrounding.events().stream()
                .filter(event -> event.string("involvedObject", "name").startsWith(name)
                        && (event.string("type").equals("Warning")
                                || event.string("involvedObject", "kind").equals("PersistentVolumeClaim")))
                .map(event -> event.string("reason") + ": " + event.string("message"))
                .distinct()
                .reduce((_, last) -> last)
                .ifPresent(found::add);
        return found.stream().map(String::strip).distinct().toList();
    }

    private static String cure(Json.Obj result) {
        var name = result.string("name");
        return switch (result.string("kind")) {
            case "PersistentVolumeClaim" ->
                "somebody has to bind " + name
                        + ": use a StorageClass that is provisioned here, such as local-path, which waits for the first pod";
            case "InferenceService" ->
                "its model has to be there. Where a later wave makes it, nobody needs to wait here: annotate " + name
                        + " with argocd.argoproj.io/sync-options: SkipHealthCheck=true";
            case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod" ->
                "its pods have to become ready; 'towtank describe' of them tells more";
            case "ExternalSecret", "SecretStore" ->
                "the source has to have what is asked for; it is tried again by itself";
            case "BuildConfig", "Build" ->
                "its build has to end well: 'kubectl get builds' shows them; nobody starts without the image that it makes";
            case "Job", "PipelineRun", "TaskRun" -> "it has to end; 'towtank app terminate' gives up";
            default -> "it has to become healthy; 'towtank app terminate' gives up";
        };
    }

    private void failed(Json.Obj state) {
        var bad = state.objects("syncResult", "resources").stream()
                .filter(result -> result.string("status").equals("SyncFailed")
                        || result.string("hookPhase").equals("Failed")
                        || result.string("hookPhase").equals("Error"))
                .toList();
        var message = state.string("message");
        lines.add("  The sync failed after " + between(state) + ": "
                + (bad.isEmpty() ? message : message.replaceFirst("(?s), reason: .*", "")));
        for (var result : bad) {
            lines.add("  " + name(result) + wave(result) + ": " + result.string("message"));
            missingRight(result.string("message")).ifPresent(lines::add);
        }
        lines.addAll(new CriticalPath(state).told(status().objects("resources")));
        if (state.string("message").contains("(dry run)")
                || state.string("message").contains("are not valid")) {
            lines.add("  Nothing was applied.");
        }
        lines.add("  It is not tried again for this commit: push another, or 'towtank app sync "
                + application.string("metadata", "name") + "'.");
    }

    /// The rule that whoever was refused lacks.
    static Optional<String> missingRight(String message) {
        return MissingRight.in(message)
                .map(right ->
                        "    To go on: give the ServiceAccount " + right.account() + " a Role with " + right.rule());
    }

    private void succeeded(Json.Obj state) {
        lines.add("  Synced to " + shortened(state.string("syncResult", "revision")) + " in " + between(state) + ", "
                + state.objects("syncResult", "resources").size() + " objects.");
        lines.addAll(new CriticalPath(state).told(status().objects("resources")));
        var health = status().object("health");
        if (!health.string("status").equals("Healthy")) {
            lines.add("  " + health.string("status") + ": " + or(health.string("message"), "see its resources"));
        }
        if (status().string("sync", "status").equals("OutOfSync")) {
            status().objects("resources").stream()
                    .filter(each -> each.string("status").equals("OutOfSync"))
                    .forEach(each -> lines.add("  " + name(each) + " is not as in Git"
                            + (each.flag("requiresPruning") ? ": it is there no longer" : "")));
        }
    }

    static String shortened(String revision) {
        return revision.substring(0, Math.min(7, revision.length()));
    }

    private String since(String time) {
        return Timestamps.parseSeconds(time)
                .map(start -> text(Duration.between(start, now)))
                .orElse("a while");
    }

    private static String between(Json.Obj state) {
        var start = Timestamps.parseSeconds(state.string("startedAt"));
        var end = Timestamps.parseSeconds(state.string("finishedAt"));
        return start.isPresent() && end.isPresent() ? text(Duration.between(start.get(), end.get())) : "a while";
    }

    private static String text(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + "m" + time.toSecondsPart() + "s" : time.toSeconds() + "s";
    }
}

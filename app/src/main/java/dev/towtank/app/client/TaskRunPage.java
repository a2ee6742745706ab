package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A TaskRun for people.
final class TaskRunPage {
    private TaskRunPage() {}

    static void write(Page page, Json.Obj run) {
        page.head(run);
        page.fact("Task", reference(run.object("spec", "taskRef")));
        outcome(page, run);
        page.fact("Timeout", run.string("spec", "timeout"));
        page.fact("Pod", run.string("status", "podName"));
        page.fact("Service account", run.string("spec", "serviceAccountName"));
        values(page, "Params", run.objects("spec", "params"));
        values(page, "Results", run.objects("status", "results"));
        workspaces(page, run);
        steps(page, "Steps", run.objects("status", "steps"));
        steps(page, "Sidecars", run.objects("status", "sidecars"));
        attempts(page, run.objects("status", "retriesStatus"));
    }

    static String reference(Json.Obj ref) {
        var resolver = ref.string("resolver");
        return resolver.isEmpty() ? ref.string("name") : "by resolver " + resolver;
    }

    static void outcome(Page page, Json.Obj run) {
        var condition = RunLookup.condition(run);
        page.fact("Status", condition.size() == 0 ? "Waiting" : condition.string("reason"));
        page.fact("Message", condition.string("message"));
        page.fact("Started", page.moment(run.string("status", "startTime")));
        page.fact("Duration", page.between(run.string("status", "startTime"), run.string("status", "completionTime")));
    }

    static void values(Page page, String title, List<Json.Obj> values) {
        if (values.isEmpty()) {
            return;
        }
        page.section(title);
        for (var value : values) {
            page.fact(value.string("name"), text(value.get("value")));
        }
    }

    private static String text(@Nullable Json value) {
        return switch (value) {
            case null -> "(none)";
            case Json.Str(var text) -> text.isEmpty() ? "\"\"" : text;
            default -> JsonText.write(value);
        };
    }

    static void workspaces(Page page, Json.Obj run) {
        if (run.objects("spec", "workspaces").isEmpty()) {
            return;
        }
        page.section("Workspaces");
        for (var workspace : run.objects("spec", "workspaces")) {
            var kind = workspace.keys().stream()
                    .filter(key -> !key.equals("name") && !key.equals("subPath"))
                    .findFirst()
                    .orElse("");
            page.fact(workspace.string("name"), kind);
        }
    }

    private static void steps(Page page, String title, List<Json.Obj> steps) {
        if (steps.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "STATE", "TIME"));
        for (var step : steps) {
            var reason = step.string("terminationReason");
            var state = PodPage.state(step);
            rows.add(List.of(
                    step.string("name") + PodPage.mark(step),
                    reason.equals("Skipped") ? "Skipped" : state,
                    PodPage.time(page, step)));
        }
        page.section(title).table(rows);
    }

    private static void attempts(Page page, List<Json.Obj> attempts) {
        if (attempts.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("ATTEMPT", "REASON", "TIME", "MESSAGE"));
        for (int i = 0; i < attempts.size(); i++) {
            var attempt = Json.Obj.of("status", attempts.get(i));
            var condition = RunLookup.condition(attempt);
            rows.add(List.of(
                    String.valueOf(i + 1),
                    condition.string("reason"),
                    page.between(attempt.string("status", "startTime"), attempt.string("status", "completionTime")),
                    condition.string("message")));
        }
        page.section("Earlier attempts").table(rows);
    }
}

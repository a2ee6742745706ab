package dev.towtank.app.client;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// A PipelineRun for people.
final class PipelineRunPage {
    private PipelineRunPage() {}

    static void write(Page page, Json.Obj run, List<Json.Obj> taskRuns) {
        page.head(run);
        page.fact("Pipeline", TaskRunPage.reference(run.object("spec", "pipelineRef")));
        TaskRunPage.outcome(page, run);
        page.fact("Timeout", run.string("spec", "timeouts", "pipeline"));
        page.fact("Service account", run.string("spec", "taskRunTemplate", "serviceAccountName"));
        TaskRunPage.values(page, "Params", run.objects("spec", "params"));
        TaskRunPage.values(page, "Results", run.objects("status", "results"));
        TaskRunPage.workspaces(page, run);
        tasks(page, run.string("metadata", "name"), taskRuns);
        skipped(page, run.objects("status", "skippedTasks"));
    }

    private static void tasks(Page page, String name, List<Json.Obj> taskRuns) {
        if (taskRuns.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("TASK", "TASKRUN", "STATUS", "STARTED", "TIME", "RETRIES"));
        for (var taskRun : taskRuns) {
            var start = taskRun.string("status", "startTime");
            rows.add(List.of(
                    RunLookup.taskName(name, taskRun),
                    taskRun.string("metadata", "name"),
                    RunLookup.condition(taskRun).string("reason"),
                    start.isEmpty() ? "" : page.between(start, "") + " ago",
                    page.between(start, taskRun.string("status", "completionTime")),
                    String.valueOf(taskRun.objects("status", "retriesStatus").size())));
        }
        page.section("Tasks").table(rows);
    }

    private static void skipped(Page page, List<Json.Obj> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        page.section("Skipped tasks");
        tasks.forEach(task -> page.fact(task.string("name"), task.string("reason")));
    }
}

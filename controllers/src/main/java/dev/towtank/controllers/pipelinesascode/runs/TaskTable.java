package dev.towtank.controllers.pipelinesascode.runs;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What people read about a run that has ended.
public final class TaskTable {

    private static final int MOST_TASKS = 200;

    private TaskTable() {}

    /// @param taskRuns of the run
    /// @param snippet the end of a failed step's log; empty where there is none
    public static String of(Resource run, List<Resource> taskRuns, PacSettings settings, String snippet) {
        var text = new StringBuilder();
        text.append("- **Namespace**: ")
                .append(link(run.namespace(), settings.consoleOfNamespace(run.namespace())))
                .append("\n- **PipelineRun**: ")
                .append(link(run.name(), RunReports.annotation(run, "log-url")))
                .append("\n\n---\n\n### Task Statuses:\n\n");
        if (taskRuns.isEmpty()) {
            text.append(RunReports.message(run)).append('\n');
        } else {
            text.append("| **Status** | **Name** | **Duration** |\n|------------|----------|--------------|\n");
            taskRuns.stream()
                    .sorted(Comparator.comparing(
                                    (Resource each) -> each.status().string("startTime"))
                            .thenComparing(Resource::name))
                    .limit(MOST_TASKS)
                    .forEach(task -> row(text, run, task, settings));
        }
        if (!snippet.isEmpty()) {
            text.append("\n---\n\n### Failure snippet:\n").append(snippet).append('\n');
        }
        return text.toString();
    }

    private static void row(StringBuilder text, Resource run, Resource task, PacSettings settings) {
        var name = name(task);
        var failed = failedStep(task).map(step -> step.string("name")).orElse("");
        var url = settings.consoleOfTask(
                run.namespace(), run.name(), name, task.status().string("podName"), failed);
        text.append("| ")
                .append(word(task))
                .append(" | ")
                .append(link(name, url))
                .append(" | ")
                .append(duration(task))
                .append(" |\n");
    }

    public static String name(Resource task) {
        return task.labels().getOrDefault("tekton.dev/pipelineTask", task.name());
    }

    /// The first step that did not end well.
    public static Optional<Json.Obj> failedStep(Resource task) {
        return task.status().objects("steps").stream()
                .filter(step -> step.object("terminated").integer("exitCode") != 0)
                .findFirst();
    }

    private static String link(String name, String url) {
        return url.isEmpty() ? name : "[" + name + "](" + url + ")";
    }

    private static String word(Resource task) {
        if (!RunReports.isDone(task)) {
            return ":hourglass: Running";
        }
        return RunReports.hasSucceeded(task) ? ":green_circle: Succeeded" : ":red_circle: Failed";
    }

    private static String duration(Resource task) {
        var start = Timestamps.parseSeconds(task.status().string("startTime"));
        var end = Timestamps.parseSeconds(task.status().string("completionTime"));
        return start.isEmpty() || end.isEmpty()
                ? "---"
                : Duration.between(start.get(), end.get()).toSeconds() + " seconds";
    }
}

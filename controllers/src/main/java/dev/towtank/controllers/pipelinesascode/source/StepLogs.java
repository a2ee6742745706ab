package dev.towtank.controllers.pipelinesascode.source;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.controllers.pipelinesascode.runs.TaskTable;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The ends of failed steps' logs, without the secrets that were given to them.
final class StepLogs {

    private static final int LARGEST = 256 * 1024;
    private static final int SHORTEST_SECRET = 3;

    private final PodAccess access;
    private final Cache pods;
    private final Configuration configuration;

    StepLogs(PodAccess access, Cache pods, Configuration configuration) {
        this.access = access;
        this.pods = pods;
        this.configuration = configuration;
    }

    /// What is shown of the first task that failed; empty where none did.
    String snippet(List<Resource> taskRuns, PacSettings settings) {
        if (settings.snippetLines() == 0) {
            return "";
        }
        return failed(taskRuns)
                .map(task -> {
                    var lines = end(task, settings.snippetLines());
                    var text = lines.isEmpty() ? RunReports.message(task) : String.join("\n", lines);
                    return "task <b>" + TaskTable.name(task) + "</b> has the status <b>\"" + RunReports.reason(task)
                            + "\"</b>:\n<pre>" + masked(text, task).replace("<", "&lt;") + "</pre>";
                })
                .orElse("");
    }

    List<Word.Finding> findings(List<Resource> taskRuns, PacSettings settings) {
        var failed = failed(taskRuns);
        if (failed.isEmpty() || settings.detectionLines() == 0) {
            return List.of();
        }
        var found = new ArrayList<Word.Finding>();
        try {
            var pattern = Pattern.compile(settings.detectionExpression());
            var groups = pattern.namedGroups();
            if (!groups.keySet().containsAll(List.of("filename", "line", "error"))) {
                return List.of();
            }
            for (var line : end(failed.get(), settings.detectionLines())) {
                var match = pattern.matcher(line);
                if (match.find() && match.group("line").matches("[0-9]{1,9}")) {
                    found.add(new Word.Finding(
                            match.group("filename").replaceFirst("^\\./", ""),
                            Long.parseLong(match.group("line")),
                            masked(match.group("error"), failed.get())));
                }
            }
        } catch (PatternSyntaxException e) {
            return List.of();
        }
        return found;
    }

    private static Optional<Resource> failed(List<Resource> taskRuns) {
        return taskRuns.stream()
                .filter(task -> RunReports.isDone(task) && !RunReports.hasSucceeded(task))
                .min(Comparator.comparing((Resource task) -> task.status().string("completionTime"))
                        .thenComparing(Resource::name));
    }

    private List<String> end(Resource task, int lines) {
        var pod = pods.get(
                new ObjectName(task.cluster(), task.namespace(), task.status().string("podName")));
        var step = TaskTable.failedStep(task);
        if (pod.isEmpty() || step.isEmpty()) {
            return List.of();
        }
        var request = new PodAccess.LogRequest(
                step.get().string("container"),
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(lines),
                OptionalLong.of(LARGEST));
        try (var log = access.log(pod.get(), request)) {
            return new String(log.readNBytes(LARGEST), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (StatusError | IOException e) {
            // The log is gone: the message of the task is all that there is.
            return List.of();
        }
    }

    /// Without the values of Secrets that its steps have in their environment.
    private String masked(String text, Resource task) {
        var masked = text;
        var values = new ArrayList<>(secrets(task));
        values.sort(Comparator.comparingInt(String::length).reversed());
        for (var value : values) {
            masked = masked.replace(value, "*****");
        }
        return masked;
    }

    private Set<String> secrets(Resource task) {
        var values = new LinkedHashSet<String>();
        var spec = task.status().object("taskSpec");
        var places = new ArrayList<Json.Obj>(spec.objects("steps"));
        places.add(spec.object("stepTemplate"));
        places.add(task.spec().object("podTemplate"));
        for (var place : places) {
            for (var variable : place.objects("env")) {
                var reference = variable.object("valueFrom", "secretKeyRef");
                if (reference.size() > 0) {
                    configuration
                            .secret(task, reference.without(GlobalRepository.NAMESPACE), "")
                            .filter(value -> value.length() >= SHORTEST_SECRET)
                            .ifPresent(values::add);
                }
            }
        }
        return values;
    }
}

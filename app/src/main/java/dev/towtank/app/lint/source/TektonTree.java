package dev.towtank.app.lint.source;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where Tekton's kinds have tasks and pipelines in them.
public final class TektonTree {

    private TektonTree() {}

    /// Specs of tasks: of a Task itself, and those written into runs and pipelines.
    public static List<Located> taskSpecs(Document document) {
        var found = new ArrayList<Located>();
        if (!document.isTekton()) {
            return found;
        }
        switch (document.kind()) {
            case "Task", "ClusterTask" -> add(document.root().at("spec"), found);
            case "TaskRun" -> add(document.root().at("spec", "taskSpec"), found);
            default ->
                pipelineSpecs(document).forEach(spec -> tasks(spec).forEach(task -> add(task.at("taskSpec"), found)));
        }
        return found;
    }

    /// Specs of pipelines, also of those within others.
    public static List<Located> pipelineSpecs(Document document) {
        var found = new ArrayList<Located>();
        if (document.isTekton() && document.kind().equals("Pipeline")) {
            addPipeline(document.root().at("spec"), found);
        } else if (document.isTekton() && document.kind().equals("PipelineRun")) {
            addPipeline(document.root().at("spec", "pipelineSpec"), found);
        }
        return found;
    }

    private static void addPipeline(@Nullable Located spec, List<Located> found) {
        if (spec == null || !(spec.json() instanceof Json.Obj)) {
            return;
        }
        found.add(spec);
        tasks(spec).forEach(task -> addPipeline(task.at("pipelineSpec"), found));
    }

    private static void add(@Nullable Located spec, List<Located> found) {
        if (spec != null && spec.json() instanceof Json.Obj) {
            found.add(spec);
        }
    }

    /// The tasks of a pipeline, also the last ones.
    public static List<Located> tasks(Located pipelineSpec) {
        return Stream.concat(pipelineSpec.list("tasks").stream(), pipelineSpec.list("finally").stream())
                .toList();
    }

    /// All that a task runs: steps and sidecars; of a StepAction, itself.
    public static List<Located> steps(Document document) {
        var found = new ArrayList<Located>();
        if (document.isTekton() && document.kind().equals("StepAction")) {
            add(document.root().at("spec"), found);
        }
        for (var spec : taskSpecs(document)) {
            found.addAll(spec.list("steps"));
            found.addAll(spec.list("sidecars"));
        }
        return found;
    }
}

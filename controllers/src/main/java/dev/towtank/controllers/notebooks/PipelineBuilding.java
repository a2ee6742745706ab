package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.util.Optional;

/// Has the image of a job built by a pipeline, and follows its run.
record PipelineBuilding(Building building, NotebookBuild build) {

    Plan plan() {
        var found = building.facts().run();
        if (found.isEmpty()) {
            return asked();
        }
        var run = found.get();
        if (!NotebookReconciler.isOf(building.job(), run)) {
            return building.failed(
                    "BuildNameTaken",
                    "There is a PipelineRun %s already, which is not of this job: delete one of them."
                            .formatted(run.name()));
        }
        if (!NotebookReconciler.isOfThisGeneration(building.job(), run) || run.isDeleting()) {
            return gone(run);
        }
        return followed(run);
    }

    /// With all that it has made, whose names the next one needs.
    private static Plan gone(Resource run) {
        return run.isDeleting()
                ? Plan.none()
                : Plan.of(new Change.Delete(
                        NotebookKinds.PIPELINE_RUN, run, Optional.of(Cluster.Propagation.FOREGROUND)));
    }

    private Plan asked() {
        var pipeline = new BuildPipeline(build);
        return building.applied(BuildKinds.STREAM, build.stream())
                .then(building.applied(NotebookKinds.PIPELINE, pipeline.pipeline()))
                .then(new Change.TryCreate(NotebookKinds.PIPELINE_RUN, pipeline.run(), building.refused()))
                .then(building.said(
                        "Building", building.told("Pending", "The build is asked for"), "The image is being built"));
    }

    private Plan followed(Resource run) {
        var condition = condition(run);
        return switch (condition.string("status")) {
            case "True" -> complete(run);
            case "False" ->
                building.failed(
                        "BuildFailed",
                        "Build failed: " + building.facts().problem().orElse(condition.string("message")));
            default -> building.inTime(build, going(condition));
        };
    }

    static Json.Obj condition(Resource run) {
        return run.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    private Plan going(Json.Obj condition) {
        var told = condition.size() == 0
                ? building.told("Pending", "The build is on its way")
                : building.told("Running", condition.string("message"));
        return building.said("Building", told, "The image is being built");
    }

    private Plan complete(Resource run) {
        var image = result(run, BuildPipeline.IMAGE_RESULT);
        if (image.isEmpty()) {
            return building.failed("BuildFailed", "Build failed: the pipeline does not tell what it has made");
        }
        var told = building.told("Complete", result(run, BuildPipeline.MESSAGE_RESULT));
        return building.said(
                "BuildComplete", told.with("imageReference", Json.of(image)), "Build completed, ready for validation");
    }

    private static String result(Resource run, String name) {
        return run.status().objects("results").stream()
                .filter(each -> each.string("name").equals(name))
                .map(each -> each.string("value"))
                .findFirst()
                .orElse("");
    }

    /// Why a task of the pipeline failed, where it says so; otherwise what is said of it.
    static String problem(Resource child) {
        var task = child.labels().getOrDefault("tekton.dev/pipelineTask", child.name());
        var told = result(child, BuildPipeline.PROBLEM_RESULT);
        return task + ": " + (told.isEmpty() ? condition(child).string("message") : told.strip());
    }

    /// What a run is called, and how long it took.
    static void tell(Resource run, ObjectBuilder told) {
        var began = run.status().string("startTime");
        var ended = run.status().string("completionTime");
        told.put("buildName", run.name()).putNonEmpty("startTime", began).putNonEmpty("completionTime", ended);
        Timestamps.parseSeconds(began)
                .flatMap(from -> Timestamps.parseSeconds(ended).map(to -> Duration.between(from, to)))
                .ifPresent(took -> told.put("duration", Durations.format(took)));
    }
}

package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What is to be done: objects to apply, and then the run to create.
///
/// @param kinds those of the objects
/// @param run the PipelineRun or TaskRun
/// @param definition the spec of its pipeline or task, where it is known before the run starts
/// @param volumes directories that the run works in
/// @param notices what the user should know before
public record RunPlan(
        KnownKinds kinds,
        List<Document> objects,
        Document run,
        Optional<Json.Obj> definition,
        List<WorkspaceVolume> volumes,
        List<String> notices) {

    public RunPlan {
        objects = List.copyOf(objects);
        volumes = List.copyOf(volumes);
        notices = List.copyOf(notices);
    }

    public boolean isPipeline() {
        return run.kind().equals("PipelineRun");
    }

    public String namespace() {
        return run.json().string("metadata", "namespace");
    }
}

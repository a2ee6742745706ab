package dev.towtank.app.run.history;

import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A finished run: all that is needed to look at it, to export it, and to go on from it.
///
/// @param id by which users name it; that of the run itself, with a number where there were several of that name
/// @param summary the state in short, for people and programs
/// @param run the PipelineRun or TaskRun at its end
/// @param children the runs of its tasks, at their end
/// @param objects what was applied before it started
/// @param volumes directories that it worked in
public record RunRecord(
        String id,
        Json.Obj summary,
        Resource run,
        List<Resource> children,
        List<Json.Obj> objects,
        List<WorkspaceVolume> volumes) {

    public RunRecord {
        children = List.copyOf(children);
        objects = List.copyOf(objects);
        volumes = List.copyOf(volumes);
    }

    static Json.Obj json(WorkspaceVolume volume) {
        var json = Json.Obj.builder()
                .put("workspace", volume.workspace())
                .put("claim", volume.claim())
                .put("namespace", volume.namespace());
        volume.source().ifPresent(source -> json.put("source", source.toString()));
        return json.put("writable", volume.writable())
                .put("given", volume.isGiven())
                .build();
    }

    static WorkspaceVolume volume(Json.Obj json) {
        return new WorkspaceVolume(
                json.string("workspace"),
                json.string("claim"),
                json.string("namespace"),
                json.has("source") ? Optional.of(Path.of(json.string("source"))) : Optional.empty(),
                json.flag("writable"),
                json.flag("given"));
    }
}

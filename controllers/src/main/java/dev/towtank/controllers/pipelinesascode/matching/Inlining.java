package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Puts the pipelines and tasks that a run names into the run itself, so that it needs nothing but itself.
public final class Inlining {

    private static final int MOST_REMOTE = 50;

    private final TektonFiles files;
    private final Remote remote;

    public Inlining(TektonFiles files, Remote remote) {
        this.files = files;
        this.remote = remote;
    }

    /// Reads what an annotation names: an address, a file of the repository, or a name at a hub.
    @FunctionalInterface
    public interface Remote {
        /// @param kind Task or Pipeline
        String read(String place, String kind) throws IOException, InterruptedException;
    }

    /// @throws IllegalArgumentException something that the run names is nowhere
    public Json.Obj of(Json.Obj run) throws IOException, InterruptedException {
        var annotations = run.object("metadata", "annotations");
        var tasks = new LinkedHashMap<String, Json.Obj>();
        var spec = run.object("spec");
        var pipelineSpec = spec.object("pipelineSpec");
        var reference = spec.object("pipelineRef");
        if (!reference.string("name").isEmpty() && reference.string("resolver").isEmpty()) {
            var pipeline = pipeline(reference.string("name"), annotations);
            fetch(pipeline.object("metadata", "annotations"), tasks, place(annotations));
            pipelineSpec = pipeline.object("spec");
            spec = spec.without("pipelineRef");
        }
        // What the run says counts more than what its pipeline says.
        fetch(annotations, tasks, "");
        if (pipelineSpec.size() == 0) {
            return run;
        }
        var whole = inlined(inlined(pipelineSpec, "tasks", tasks), "finally", tasks);
        return run.with("spec", spec.with("pipelineSpec", whole));
    }

    private Json.Obj pipeline(String name, Json.Obj annotations) throws IOException, InterruptedException {
        var place = place(annotations);
        if (!place.isEmpty()) {
            var fetched = object(place, "Pipeline");
            if (fetched.string("metadata", "name").equals(name)) {
                return fetched;
            }
        }
        var own = files.pipelines().get(name);
        if (own == null) {
            throw new IllegalArgumentException("cannot find referenced pipeline " + name
                    + ". for a remote pipeline make sure to add it in the annotation");
        }
        return own;
    }

    /// Where the pipeline of a run is; empty where it is in `.tekton`.
    private static String place(Json.Obj annotations) {
        var said = annotations.string(PacKinds.PREFIX + "pipeline");
        var places = said.isEmpty() ? List.of("") : Annotations.values(said);
        if (places.size() > 1) {
            throw new IllegalArgumentException("only one pipeline is allowed on remote resolution, we have received "
                    + "multiple of them: " + said);
        }
        return places.getFirst();
    }

    /// @param base the address of the pipeline that names them; empty where it has none
    private void fetch(Json.Obj annotations, Map<String, Json.Obj> tasks, String base)
            throws IOException, InterruptedException {
        var places = new ArrayList<String>();
        annotations.forEach((key, value) -> {
            if (key.matches("pipelinesascode\\.tekton\\.dev/task(-[0-9]+)?") && value instanceof Json.Str(var text)) {
                places.addAll(Annotations.values(text));
            }
        });
        if (places.size() > MOST_REMOTE) {
            throw new IllegalArgumentException("a run may name at most " + MOST_REMOTE + " remote tasks");
        }
        for (var place : places) {
            var task = object(beside(base, place), "Task");
            tasks.put(task.string("metadata", "name"), task);
        }
    }

    private static String beside(String base, String place) {
        boolean isRelative = !place.contains("://") && (place.contains("/") || place.startsWith("."));
        return isRelative && base.startsWith("http")
                ? URI.create(base).resolve(place).toString()
                : place;
    }

    private Json.Obj object(String place, String kind) throws IOException, InterruptedException {
        try {
            for (var document : YamlText.parseAll(remote.read(place, kind))) {
                if (document instanceof Json.Obj object && object.string("kind").equals(kind)) {
                    return object;
                }
            }
        } catch (JsonText.Malformed e) {
            throw new IllegalArgumentException("remote " + kind + " from " + place + " is no YAML: " + e.getMessage());
        }
        throw new IllegalArgumentException("remote from uri: " + place + " is no " + kind);
    }

    private Json.Obj inlined(Json.Obj pipeline, String field, Map<String, Json.Obj> remotes) {
        if (!pipeline.has(field)) {
            return pipeline;
        }
        var tasks = new ArrayList<Json>();
        for (var task : pipeline.objects(field)) {
            tasks.add(inlined(task, remotes));
        }
        return pipeline.with(field, new Json.Arr(tasks));
    }

    private Json.Obj inlined(Json.Obj task, Map<String, Json.Obj> remotes) {
        var reference = task.object("taskRef");
        var version = reference.string("apiVersion");
        if (reference.string("name").isEmpty()
                || !reference.string("resolver").isEmpty()
                || !(version.isEmpty() || version.startsWith("tekton.dev/"))
                || List.of("ClusterTask").contains(reference.string("kind"))) {
            return task;
        }
        var name = reference.string("name");
        var found =
                remotes.containsKey(name) ? remotes.get(name) : files.tasks().get(name);
        if (found == null) {
            throw new IllegalArgumentException("cannot find referenced task " + name
                    + ". if it's a remote task make sure to add it in the annotations");
        }
        var metadata = Json.Obj.builder()
                .putNonEmpty("annotations", found.object("metadata", "annotations"))
                .putNonEmpty("labels", found.object("metadata", "labels"))
                .build();
        var spec = metadata.size() == 0
                ? found.object("spec")
                : found.object("spec").with("metadata", metadata);
        return task.without("taskRef").with("taskSpec", spec);
    }
}

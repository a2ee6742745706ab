package dev.towtank.app.applications.foresight;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Jobs and runs of pipelines whose scripts end badly, whatever happens.
final class DoomedScripts {

    private static final String TEKTON = "tekton.dev";
    private static final Kind<Json.Obj> PIPELINE = Kind.namespaced(TEKTON, "v1", "Pipeline", "pipelines");
    private static final Kind<Json.Obj> TASK = Kind.namespaced(TEKTON, "v1", "Task", "tasks");
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ash");

    private final Scene scene;

    private DoomedScripts(Scene scene) {
        this.scene = scene;
    }

    static Stream<Omen> in(Scene scene) {
        var scripts = new DoomedScripts(scene);
        return scene.parts().stream()
                .filter(Scene.Part::isNew)
                .flatMap(part -> scripts.of(part).map(why -> Omen.fails(part.title() + " will fail: " + why)));
    }

    private Stream<String> of(Scene.Part part) {
        return switch (part.key().group() + "/" + part.key().kind()) {
            case TEKTON + "/PipelineRun" -> ofPipeline(part);
            case TEKTON + "/TaskRun" ->
                task(part.spec(), part.key().namespace()).stream().flatMap(task -> ofTask("", task));
            case "batch/Job", "/Pod" -> ofPod(PodTemplate.of(part.object()));
            default -> Stream.of();
        };
    }

    private Stream<String> ofPipeline(Scene.Part part) {
        var spec = part.spec();
        var pipeline = spec.has("pipelineSpec")
                ? Optional.of(spec.object("pipelineSpec"))
                : named(PIPELINE, spec.object("pipelineRef"), part.key().namespace());
        return pipeline.stream()
                .flatMap(it -> it.objects("tasks").stream())
                // Whether one with a condition runs, only running tells.
                .filter(task -> !task.has("when") && !task.string("onError").equals("continue"))
                .flatMap(task -> task(task, part.key().namespace()).stream()
                        .flatMap(found -> ofTask(" of task " + task.string("name"), found)));
    }

    private Optional<Json.Obj> task(Json.Obj holder, String namespace) {
        return holder.has("taskSpec")
                ? Optional.of(holder.object("taskSpec"))
                : named(TASK, holder.object("taskRef"), namespace);
    }

    private Optional<Json.Obj> named(Kind<?> kind, Json.Obj reference, String namespace) {
        return reference.string("name").isEmpty()
                ? Optional.empty()
                : scene.find(kind, namespace, reference.string("name")).map(found -> found.object("spec"));
    }

    private static Stream<String> ofTask(String place, Json.Obj task) {
        return task.objects("steps").stream()
                .filter(step -> !step.string("onError").equals("continue") && !step.has("when"))
                .flatMap(step -> Stream.concat(Stream.of(step.string("script")), script(step).stream())
                        .flatMap(script -> ShellScript.end(script).stream())
                        .map(end -> "the script of step " + step.string("name") + place + " " + end));
    }

    private static Stream<String> ofPod(Json.Obj pod) {
        return Stream.concat(pod.objects("initContainers").stream(), pod.objects("containers").stream())
                .flatMap(container -> script(container).stream()
                        .flatMap(script -> ShellScript.end(script).stream())
                        .map(end -> "the script of container " + container.string("name") + " " + end));
    }

    /// What stands behind `sh -c`.
    private static Optional<String> script(Json.Obj container) {
        var words = Stream.concat(
                        container.array("command").strings().stream(), container.array("args").strings().stream())
                .toList();
        boolean isShell = words.size() > 2
                && SHELLS.contains(words.getFirst().replaceFirst(".*/", ""))
                && List.of("-c", "-ec", "-exc", "-euc", "-xc").contains(words.get(1));
        return isShell ? Optional.of(words.get(2)) : Optional.empty();
    }
}

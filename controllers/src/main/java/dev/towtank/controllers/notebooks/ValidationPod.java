package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The pod in which a notebook runs. Git is asked by the server, so no credentials are in it.
final class ValidationPod {

    /// Of which state of the job it is.
    static final String GENERATION = "towtank.dev/job-generation";

    // Nothing of an image is needed to fetch; the name is for people.
    private static final String CLONE_IMAGE = "towtank.dev/git-clone";
    private static final long GRACE = 120;

    private final NotebookJob job;

    private ValidationPod(NotebookJob job) {
        this.job = job;
    }

    static Resource of(NotebookJob job) {
        return new ValidationPod(job).pod();
    }

    private Resource pod() {
        var object = job.object();
        var metadata = Json.Obj.builder()
                .put("name", job.podName())
                .put("namespace", object.namespace())
                .put(
                        "labels",
                        Json.Obj.ofStrings(Map.of(
                                "app.kubernetes.io/name",
                                "notebook-validator",
                                "app.kubernetes.io/component",
                                "validation",
                                RunOrder.LABEL,
                                label(object.name()))))
                .put(
                        "annotations",
                        Json.Obj.ofStrings(Map.of(
                                RunOrder.ANNOTATION,
                                job.order().text(),
                                GENERATION,
                                Long.toString(object.generation()))))
                .put("ownerReferences", Json.Arr.of(object.asOwner(true).json()))
                .build();
        return new Resource(
                object.cluster(),
                Json.Obj.builder()
                        .put("apiVersion", "v1")
                        .put("kind", "Pod")
                        .put("metadata", metadata)
                        .put("spec", spec())
                        .build());
    }

    // A label has at most 63 characters.
    static String label(String name) {
        return name.substring(0, Math.min(name.length(), 63)).replaceAll("[^a-zA-Z0-9]+$", "");
    }

    private Json.Obj spec() {
        var config = job.pod();
        var order = job.order();
        var init = new ArrayList<Json>();
        order.source().ifPresent(_ -> init.add(clone(RunOrder.CLONE_CONTAINER)));
        order.goldenSource().ifPresent(_ -> init.add(clone(RunOrder.GOLDEN_CONTAINER)));
        var volumes = new ArrayList<Json>();
        volumes.add(empty("workspace"));
        volumes.add(empty("jovyan-home"));
        volumes.addAll(config.objects("volumes"));
        return Json.Obj.builder()
                .put("restartPolicy", "Never")
                .put("serviceAccountName", config.string("serviceAccountName"))
                // The runner keeps the timeout; this is for a runner that cannot.
                .put("activeDeadlineSeconds", job.timeout().toSeconds() + GRACE)
                .putNonEmpty("initContainers", new Json.Arr(init))
                .put("containers", Json.Arr.of(validator(config, job.image())))
                .put("volumes", new Json.Arr(volumes))
                .putNonEmpty("tolerations", config.array("tolerations"))
                .putNonEmpty("nodeSelector", config.object("nodeSelector"))
                .putNonEmpty("affinity", config.object("affinity"))
                .build();
    }

    private static Json.Obj clone(String name) {
        return Json.Obj.builder()
                .put("name", name)
                .put("image", CLONE_IMAGE)
                .put("command", Json.Arr.of(Json.of(RunOrder.CLONE_COMMAND)))
                .put("volumeMounts", Json.Arr.of(mount("workspace", "/workspace")))
                .build();
    }

    private static Json.Obj validator(Json.Obj config, String image) {
        var env = new ArrayList<Json>(List.of(
                variable("HOME", "/workspace"),
                variable("PYTHONUSERBASE", "/workspace/.local"),
                variable("NOTEBOOK_IMAGE", image)));
        env.addAll(config.objects("env"));
        var mounts = new ArrayList<Json>();
        mounts.add(mount("workspace", "/workspace"));
        mounts.add(mount("jovyan-home", "/home/jovyan"));
        mounts.addAll(config.objects("volumeMounts"));
        return Json.Obj.builder()
                .put("name", RunOrder.CONTAINER)
                .put("image", image)
                .put("command", Json.Arr.of(Json.of(RunOrder.RUN_COMMAND)))
                .put("workingDir", "/workspace")
                .put("env", new Json.Arr(env))
                .putNonEmpty("envFrom", config.array("envFrom"))
                .putNonEmpty("resources", config.object("resources"))
                .put("volumeMounts", new Json.Arr(mounts))
                .build();
    }

    private static Json.Obj variable(String name, String value) {
        return Json.Obj.of("name", Json.of(name), "value", Json.of(value));
    }

    private static Json.Obj mount(String volume, String path) {
        return Json.Obj.of("name", Json.of(volume), "mountPath", Json.of(path));
    }

    private static Json.Obj empty(String name) {
        return Json.Obj.of("name", Json.of(name), "emptyDir", Json.Obj.EMPTY);
    }
}

package dev.towtank.controllers.models;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Keeps `<model>/model.pkl` on a claim a link to the version that serves, for those who read the file. A pod does it,
/// as
/// only a pod sees the claim. A file that is no link is somebody's, and stays.
final class ModelLink {

    private static final Pattern HOME = Pattern.compile("pvc://([a-z0-9][-a-z0-9.]*)((?:/[A-Za-z0-9_.-]+)*)/*");

    private static final String SCRIPT = """
            import os
            version = os.environ["VERSION"]
            files = sorted(name for name in os.listdir("/home/model/" + version) if name.endswith((".pkl", ".joblib", ".pickle")))
            link = "/home/model/model.pkl"
            if files and (os.path.islink(link) or not os.path.lexists(link)):
                unfinished = "/home/model/.model.pkl.new"
                if os.path.lexists(unfinished):
                    os.unlink(unfinished)
                os.symlink(os.path.join(version, files[0]), unfinished)
                os.replace(unfinished, link)
            """;

    private ModelLink() {}

    static String podName(Resource model) {
        return model.name() + "-link";
    }

    /// What is linked now, and what is to be done about that.
    ///
    /// @param pod that links, if there is one
    static Decision decide(Resource model, Optional<Resource> pod, String current, Optional<Resource> version) {
        var linked = model.status().string("linked");
        if (pod.isPresent()) {
            return finished(model, pod.get(), linked);
        }
        var home = HOME.matcher(model.spec().string("storageUri"));
        boolean isBelow = version.filter(each -> isBelow(model, each)).isPresent();
        if (current.isEmpty() || current.equals(linked) || !isBelow || !home.matches()) {
            return new Decision(linked, Plan.none());
        }
        return new Decision(linked, Plan.none().create(Pods.KIND, pod(model, home.group(1), home.group(2), current)));
    }

    record Decision(String linked, Plan plan) {}

    private static Decision finished(Resource model, Resource pod, String linked) {
        var phase = pod.status().string("phase");
        var meant = pod.annotations().getOrDefault(ANNOTATION, "");
        var gone = Plan.none().delete(Pods.KIND, pod);
        return switch (phase) {
            case "Succeeded" -> new Decision(meant, gone);
            case "Failed" ->
                new Decision(
                        meant,
                        gone.then(Change.Event.warning(
                                model, "LinkFailed", "model.pkl could not be made a link to " + meant)));
            default -> new Decision(linked, Plan.none());
        };
    }

    private static final String ANNOTATION = "towtank.dev/model-version";

    private static boolean isBelow(Resource model, Resource version) {
        var home = model.spec().string("storageUri").replaceAll("/+$", "");
        return version.spec()
                .string("storageUri")
                .replaceAll("/+$", "")
                .equals(home + "/" + version.spec().string("version"));
    }

    private static Resource pod(Resource model, String claim, String path, String version) {
        var mount = Json.Obj.of("name", Json.of("models"), "mountPath", Json.of("/home/model"));
        var container = Json.Obj.builder()
                .put("name", "link")
                .put("image", "kserve/sklearnserver:latest")
                .put("command", Json.Arr.ofStrings(List.of("python3", "-I", "-c", SCRIPT)))
                .put("env", Json.Arr.of(Json.Obj.of("name", Json.of("VERSION"), "value", Json.of(version))))
                .put(
                        "volumeMounts",
                        Json.Arr.of(path.isEmpty() ? mount : mount.with("subPath", Json.of(path.substring(1)))))
                .build();
        var volume = Json.Obj.of(
                "name", Json.of("models"), "persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)));
        return model.with(Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", podName(model))
                                .put("namespace", model.namespace())
                                .put("annotations", Json.Obj.of(ANNOTATION, Json.of(version)))
                                .put(
                                        "ownerReferences",
                                        Json.Arr.of(model.asOwner(true).json()))
                                .build())
                .put(
                        "spec",
                        Json.Obj.builder()
                                .put("restartPolicy", "Never")
                                .put("automountServiceAccountToken", Json.Bool.FALSE)
                                .put("containers", Json.Arr.of(container))
                                .put("volumes", Json.Arr.of(volume))
                                .build())
                .build());
    }
}

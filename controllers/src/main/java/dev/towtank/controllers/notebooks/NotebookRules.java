package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the operator's webhook fills in and refuses, and what would not work.
final class NotebookRules implements KindBehaviour {

    private static final String WEBHOOK = "vnotebookvalidationjob.kb.io";
    private static final Set<String> RESERVED =
            Set.of("git-clone", "notebook-data", "source", "workspace", "jovyan-home");
    private static final List<String> SOURCES = List.of("persistentVolumeClaim", "configMap", "secret", "emptyDir");

    @Override
    public String group() {
        return NotebookKinds.JOB.group();
    }

    @Override
    public String kind() {
        return NotebookKinds.JOB.kind();
    }

    /// `credentials` is another way to write `envFrom`.
    @Override
    public Json.Obj defaults(Json.Obj object) {
        var config = object.object("spec", "podConfig");
        if (!config.has("credentials")) {
            return object;
        }
        var from = config.array("envFrom");
        for (var secret : config.array("credentials").strings()) {
            from = from.plus(Json.Obj.of("secretRef", Json.Obj.of("name", Json.of(secret))));
        }
        var changed = config.without("credentials");
        return object.with(List.of("spec", "podConfig"), from.size() == 0 ? changed : changed.with("envFrom", from));
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        return volumes(object.object("spec", "podConfig"))
                .or(() -> mounts(object.object("spec", "podConfig")))
                .or(() -> places(object.object("spec")))
                .or(() -> parameters(object))
                .or(() -> missing(object))
                .map(why -> KindBehaviour.denied(WEBHOOK, why));
    }

    private static Optional<String> volumes(Json.Obj config) {
        var names = new HashSet<String>();
        var volumes = config.objects("volumes");
        for (int i = 0; i < volumes.size(); i++) {
            var where = "spec.podConfig.volumes[" + i + "]";
            var name = volumes.get(i).string("name");
            if (RESERVED.contains(name)) {
                return Optional.of(
                        "%s.name: volume name \"%s\" is reserved for internal use; please choose a different name"
                                .formatted(where, name));
            }
            if (!names.add(name)) {
                return Optional.of("%s.name: duplicate volume name \"%s\"; each volume must have a unique name"
                        .formatted(where, name));
            }
            long sources = SOURCES.stream().filter(volumes.get(i)::has).count();
            if (sources == 0) {
                return Optional.of(("%s: volume \"%s\" must specify exactly one volume source (persistentVolumeClaim,"
                                + " configMap, secret, or emptyDir)")
                        .formatted(where, name));
            }
            if (sources > 1) {
                return Optional.of("%s: volume \"%s\" specifies multiple volume sources; exactly one must be specified"
                        .formatted(where, name));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> mounts(Json.Obj config) {
        var names = config.objects("volumes").stream()
                .map(volume -> volume.string("name"))
                .toList();
        var paths = new HashSet<String>();
        var mounts = config.objects("volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            var where = "spec.podConfig.volumeMounts[" + i + "]";
            var name = mounts.get(i).string("name");
            var path = mounts.get(i).string("mountPath");
            if (!names.contains(name)) {
                return Optional.of(
                        ("%s.name: volume mount references undefined volume \"%s\"; ensure a volume with this"
                                        + " name is defined in spec.podConfig.volumes")
                                .formatted(where, name));
            }
            if (!paths.add(path)) {
                return Optional.of(("%s.mountPath: duplicate mount path \"%s\"; each volume mount must have a unique"
                                + " mountPath")
                        .formatted(where, path));
            }
        }
        return Optional.empty();
    }

    /// Where notebooks are: in a repository, or in a volume.
    private static Optional<String> places(Json.Obj spec) {
        var mounts = spec.objects("podConfig", "volumeMounts").stream()
                .map(mount -> mount.string("mountPath"))
                .toList();
        for (var field : List.of("notebook", "goldenNotebook")) {
            if (!spec.has(field)) {
                continue;
            }
            var path = spec.string(field, "path");
            if (List.of(path.split("/", -1)).contains("..")) {
                return Optional.of("spec.%s.path: must not contain '..'".formatted(field));
            }
            boolean isInVolume = mounts.stream().anyMatch(mount -> path.startsWith(mount + "/"));
            if (!spec.object(field).has("git") && !isInVolume) {
                return Optional.of(("spec.%s: git is required, or a path below the mountPath of one of"
                                + " spec.podConfig.volumeMounts")
                        .formatted(field));
            }
            if (spec.object(field).has("git") && path.startsWith("/")) {
                return Optional.of("spec.%s.path: must be relative to the repository".formatted(field));
            }
        }
        return Optional.empty();
    }

    /// What would be taken and not done.
    private static Optional<String> missing(Json.Obj object) {
        if (object.flag("spec", "podConfig", "buildConfig", "enabled")) {
            return Optional.of("spec.podConfig.buildConfig: no images are built here; set enabled to false and name an"
                    + " image that has what the notebook imports");
        }
        if (object.flag("spec", "modelValidation", "enabled")) {
            return Optional.of("spec.modelValidation: is not done here; leave it out");
        }
        return Optional.empty();
    }

    private static Optional<String> parameters(Json.Obj object) {
        try {
            new NotebookJob(Resource.of(object)).parameters();
            return Optional.empty();
        } catch (JsonText.Malformed e) {
            return Optional.of("metadata.annotations[%s]: %s".formatted(NotebookJob.PARAMETERS, e.getMessage()));
        }
    }
}

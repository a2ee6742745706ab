package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.Follower;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the operator's webhook fills in and refuses, and what would not work.
final class NotebookRules implements KindBehaviour {

    private static final String WEBHOOK = "vnotebookvalidationjob.kb.io";
    private static final Set<String> RESERVED =
            Set.of("git-clone", "notebook-data", "source", "workspace", "jovyan-home");
    private static final Pattern FILE = Pattern.compile("(?!.*\\.\\.)[A-Za-z0-9._][A-Za-z0-9._/-]*");
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
                .or(() -> annotations(object))
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
        var build = NotebookBuild.isWanted(object.object("spec"))
                ? unbuilt(object.object("spec"))
                : Optional.<String>empty();
        if (build.isPresent()) {
            return build.map("spec.podConfig.buildConfig"::concat);
        }
        var models = object.object("spec", "modelValidation");
        if (models.flag("enabled") && !models.string("platform").equals("kserve")) {
            return Optional.of("spec.modelValidation.platform: only kserve can be asked here");
        }
        if (models.flag("enabled") && models.array("targetModels").size() == 0) {
            return Optional.of("spec.modelValidation.targetModels: name the InferenceServices that are to be asked");
        }
        return Optional.empty();
    }

    private static Optional<String> unbuilt(Json.Obj spec) {
        var build = spec.object("podConfig", "buildConfig");
        if (!spec.object("notebook").has("git")) {
            return Optional.of(": images are built from notebook.git, which is missing");
        }
        if (build.object("strategyConfig").size() > 0) {
            return Optional.of(".strategyConfig: images stay on this server; leave it out");
        }
        if (build.string("fallbackStrategy").equals("fail")
                && build.string("requirementsFile").isEmpty()) {
            return Optional.of(".fallbackStrategy: to fail without requirements, name them in requirementsFile");
        }
        var files = Stream.concat(
                Stream.of(build.string("requirementsFile"), build.string("dockerfile")),
                build.array("requirementsSources").strings().stream());
        return files.filter(file -> !file.isEmpty() && !FILE.matcher(file).matches())
                .findFirst()
                .map(file -> ": \"" + file + "\" is no path in the repository");
    }

    private static Optional<String> annotations(Json.Obj object) {
        try {
            Follower.all(Resource.of(object));
        } catch (JsonText.Malformed e) {
            return Optional.of("metadata.annotations[%s]: %s".formatted(Follower.ANNOTATION, e.getMessage()));
        }
        var annotations = object.object("metadata", "annotations");
        if (annotations.has(NotebookJob.RETRIES)
                && !annotations.string(NotebookJob.RETRIES).equals("always")) {
            return Optional.of("metadata.annotations[%s]: only \"always\" is known".formatted(NotebookJob.RETRIES));
        }
        return Wave.problem(object.stringMap("metadata", "annotations"))
                .map(why -> "metadata.annotations[%s]: %s".formatted(Wave.BLOCKED, why));
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

package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The image that a job wants built before its notebook runs: an ImageStream and a BuildConfig, as the operator makes
/// them, but owned by the job, so that they go with it.
record NotebookBuild(NotebookJob job) {

    static final String SOURCE_STRATEGY = "s2i";
    static final String PIPELINE_STRATEGY = "tekton";

    private static final Duration USUAL = Duration.ofMinutes(15);
    private static final String REQUIREMENTS = "requirements.txt";
    static final String SOURCE = "/opt/app-root/src";

    static boolean isWanted(Json.Obj spec) {
        return spec.flag("podConfig", "buildConfig", "enabled");
    }

    Json.Obj wish() {
        return job.pod().object("buildConfig");
    }

    String name() {
        return job.object().name() + "-build";
    }

    String strategy() {
        return wish().string("strategy");
    }

    Duration timeout() {
        try {
            var text = wish().string("timeout");
            return text.isEmpty() ? USUAL : Durations.parse(text);
        } catch (Durations.Malformed e) {
            return USUAL;
        }
    }

    Resource stream() {
        return object(BuildKinds.STREAM, name(), Json.Obj.EMPTY);
    }

    Resource config() {
        return object(
                BuildKinds.CONFIG,
                name(),
                spec(isGenerated() ? recipe() : "", how())
                        .with("triggers", Json.Arr.of(Json.Obj.of("type", Json.of("ConfigChange")))));
    }

    /// What is built, as BuildConfigs and Builds say it.
    ///
    /// @param dockerfile empty where the repository has it, or nobody needs one
    Json.Obj spec(String dockerfile, Json.Obj strategy) {
        var git = job.spec().object("notebook", "git");
        var source = Json.Obj.builder()
                .put("type", "Git")
                .put("git", Json.Obj.of("uri", Json.of(git.string("url")), "ref", Json.of(git.string("ref"))));
        if (!git.string("credentialsSecret").isEmpty()) {
            source.put("sourceSecret", Json.Obj.of("name", Json.of(git.string("credentialsSecret"))));
        }
        source.putNonEmpty("dockerfile", dockerfile);
        var to = Json.Obj.of("kind", Json.of("ImageStreamTag"), "name", Json.of(name() + ":latest"));
        return Json.Obj.builder()
                .put("source", source.build())
                .put("strategy", strategy)
                .put("output", Json.Obj.of("to", to))
                .put("completionDeadlineSeconds", Math.max(1, timeout().toSeconds()))
                .build();
    }

    /// An object that goes with the job.
    Resource object(Kind<?> kind, String name, Json.Obj spec) {
        var object = job.object();
        var labels = Map.of("app", ValidationPod.label(object.name()), "mlops.redhat.com/notebook-validation", "true");
        var metadata = Json.Obj.builder()
                .put("name", name)
                .put("namespace", object.namespace())
                .put("labels", Json.Obj.ofStrings(labels))
                .put(
                        "annotations",
                        Json.Obj.ofStrings(Map.of(ValidationPod.GENERATION, Long.toString(object.generation()))))
                .put("ownerReferences", Json.Arr.of(object.asOwner(true).json()))
                .build();
        return new Resource(
                object.cluster(),
                Json.Obj.builder()
                        .put("apiVersion", kind.apiVersion())
                        .put("kind", kind.kind())
                        .put("metadata", metadata)
                        .putNonEmpty("spec", spec)
                        .build());
    }

    /// Whether the recipe is ours, and not the repository's.
    private boolean isGenerated() {
        return wish().flag("autoGenerateRequirements") && ownDockerfile().isEmpty();
    }

    private Json.Obj how() {
        if (isGenerated() || !ownDockerfile().isEmpty()) {
            return byDockerfile();
        }
        var from = Json.Obj.of("kind", Json.of("DockerImage"), "name", Json.of(base()));
        return Json.Obj.of("type", Json.of("Source"), "sourceStrategy", Json.Obj.of("from", from, "env", state()));
    }

    Json.Obj byDockerfile() {
        var file = ownDockerfile();
        var how = Json.Obj.of("env", state());
        return Json.Obj.of(
                "type",
                Json.of("Docker"),
                "dockerStrategy",
                file.isEmpty() ? how : how.with("dockerfilePath", Json.of(file)));
    }

    /// Of each state of the job there is a build: its branch may have moved.
    private Json.Arr state() {
        return Json.Arr.of(Json.Obj.of(
                "name",
                Json.of("NOTEBOOK_JOB_GENERATION"),
                "value",
                Json.of(Long.toString(job.object().generation()))));
    }

    /// The repository's own recipe; empty where it is not to be used.
    String ownDockerfile() {
        var file = wish().string("dockerfile");
        return file.isEmpty() && wish().flag("preferDockerfile") ? "Dockerfile" : file;
    }

    String base() {
        return wish().string("baseImage");
    }

    /// What pip reads is the first of several files that is there.
    private String recipe() {
        var files = requirements();
        boolean isCertain = !wish().string("requirementsFile").isEmpty();
        var install = new StringBuilder("RUN ");
        if (isCertain) {
            install.append("pip install --no-cache-dir -r ").append(files.getFirst());
        } else {
            var word = "if";
            for (var file : files) {
                install.append("%s [ -f %s ]; then pip install --no-cache-dir -r %s; ".formatted(word, file, file));
                word = "elif";
            }
            install.append("fi");
        }
        // A copy of a file that is not there fails, as it should.
        return "FROM " + base() + "\n"
                + (isCertain ? "COPY " + files.getFirst() + " /tmp/" + REQUIREMENTS + "\n" : "")
                + "COPY . " + SOURCE + "/\nWORKDIR " + SOURCE + "\n" + install + "\n";
    }

    List<String> requirements() {
        var one = wish().string("requirementsFile");
        if (!one.isEmpty()) {
            return List.of(one);
        }
        var several = wish().array("requirementsSources").strings();
        return several.isEmpty() ? beside(job.spec().string("notebook", "path")) : several;
    }

    /// In the notebook's directory, and in all above it.
    static List<String> beside(String notebook) {
        var files = new ArrayList<String>();
        for (int end = notebook.lastIndexOf('/'); end > 0; end = notebook.lastIndexOf('/', end - 1)) {
            files.add(notebook.substring(0, end) + "/" + REQUIREMENTS);
        }
        files.add(REQUIREMENTS);
        return files;
    }
}

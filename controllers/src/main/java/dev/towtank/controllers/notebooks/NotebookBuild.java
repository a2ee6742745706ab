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

    private static final Duration USUAL = Duration.ofMinutes(15);
    private static final String REQUIREMENTS = "requirements.txt";
    private static final String SOURCE = "/opt/app-root/src";

    static boolean isWanted(Json.Obj spec) {
        return spec.flag("podConfig", "buildConfig", "enabled");
    }

    private Json.Obj wish() {
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
        return object(BuildKinds.STREAM, Json.Obj.EMPTY);
    }

    Resource config() {
        var git = job.spec().object("notebook", "git");
        var source = Json.Obj.builder()
                .put("type", "Git")
                .put("git", Json.Obj.of("uri", Json.of(git.string("url")), "ref", Json.of(git.string("ref"))));
        if (!git.string("credentialsSecret").isEmpty()) {
            source.put("sourceSecret", Json.Obj.of("name", Json.of(git.string("credentialsSecret"))));
        }
        if (isGenerated()) {
            source.put("dockerfile", recipe());
        }
        var to = Json.Obj.of("kind", Json.of("ImageStreamTag"), "name", Json.of(name() + ":latest"));
        return object(
                BuildKinds.CONFIG,
                Json.Obj.builder()
                        .put("source", source.build())
                        .put("strategy", how())
                        .put("output", Json.Obj.of("to", to))
                        .put("completionDeadlineSeconds", Math.max(1, timeout().toSeconds()))
                        .put("triggers", Json.Arr.of(Json.Obj.of("type", Json.of("ConfigChange"))))
                        .build());
    }

    private Resource object(Kind<?> kind, Json.Obj spec) {
        var object = job.object();
        var labels = Map.of("app", ValidationPod.label(object.name()), "mlops.redhat.com/notebook-validation", "true");
        var metadata = Json.Obj.builder()
                .put("name", name())
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
        return wish().flag("autoGenerateRequirements")
                && !wish().flag("preferDockerfile")
                && wish().string("dockerfile").isEmpty();
    }

    private Json.Obj how() {
        // Of each state of the job there is a build: its branch may have moved.
        var state = Json.Obj.of(
                "name",
                Json.of("NOTEBOOK_JOB_GENERATION"),
                "value",
                Json.of(Long.toString(job.object().generation())));
        var env = Json.Arr.of(state);
        if (isGenerated()) {
            return Json.Obj.of("type", Json.of("Docker"), "dockerStrategy", Json.Obj.of("env", env));
        }
        var file = wish().string("dockerfile");
        if (!file.isEmpty() || wish().flag("preferDockerfile")) {
            var path = Json.of(file.isEmpty() ? "Dockerfile" : file);
            return Json.Obj.of(
                    "type", Json.of("Docker"), "dockerStrategy", Json.Obj.of("dockerfilePath", path, "env", env));
        }
        var from = Json.Obj.of("kind", Json.of("DockerImage"), "name", Json.of(base()));
        return Json.Obj.of("type", Json.of("Source"), "sourceStrategy", Json.Obj.of("from", from, "env", env));
    }

    private String base() {
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

    private List<String> requirements() {
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

package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A NotebookValidationJob, and what follows from it.
record NotebookJob(Resource object) {

    /// `always`: a notebook that failed is run again, as the operator does, but for lack of memory.
    static final String RETRIES = "towtank.dev/retries";

    /// A YAML map of values for the cell with parameters.
    static final String PARAMETERS = "towtank.dev/parameters";

    private static final Duration USUAL = Duration.ofMinutes(30);

    Json.Obj spec() {
        return object.spec();
    }

    Json.Obj pod() {
        return spec().object("podConfig");
    }

    Json.Obj status() {
        return object.status();
    }

    String podName() {
        return object.name() + "-validation";
    }

    /// Whether its image is built first.
    boolean isBuilt() {
        return NotebookBuild.isWanted(spec());
    }

    /// In which its notebook runs.
    String image() {
        return isBuilt() ? status().string("buildStatus", "imageReference") : pod().string("containerImage");
    }

    Duration timeout() {
        try {
            var text = spec().string("timeout");
            return text.isEmpty() ? USUAL : Durations.parse(text);
        } catch (Durations.Malformed e) {
            return USUAL;
        }
    }

    String phase() {
        return status().string("phase");
    }

    boolean isDone() {
        return phase().equals("Succeeded") || phase().equals("Failed");
    }

    /// Whether the status tells of an older spec.
    boolean isChanged() {
        return status().integerOr(object.generation(), "observedGeneration") != object.generation();
    }

    Optional<Instant> startTime() {
        return moment("startTime");
    }

    Optional<Instant> moment(String field) {
        return Timestamps.parseSeconds(status().string(field));
    }

    /// @throws JsonText.Malformed the annotation is no map
    Json.Obj parameters() {
        var text = object.annotations().getOrDefault(PARAMETERS, "");
        if (text.isBlank()) {
            return Json.Obj.EMPTY;
        }
        if (YamlText.parse(text) instanceof Json.Obj map) {
            return map;
        }
        throw new JsonText.Malformed("it is no map of names and values");
    }

    boolean isAlwaysRetried(Ending ending) {
        return !ending.isSuccess()
                && !ending.reason().equals("OOMKilled")
                && object.annotations().getOrDefault(RETRIES, "").equals("always");
    }

    RunOrder order() {
        var notebook = spec().object("notebook");
        var golden = spec().object("goldenNotebook");
        return new RunOrder(
                path(notebook, RunOrder.REPOSITORY),
                golden.size() == 0 ? Optional.empty() : Optional.of(path(golden, RunOrder.GOLDEN_REPOSITORY)),
                checkout(notebook),
                checkout(golden),
                timeout(),
                Json.Obj.of(
                        "validationConfig",
                        spec().object("validationConfig"),
                        "comparisonConfig",
                        spec().object("comparisonConfig")),
                parameters());
    }

    private static String path(Json.Obj notebook, String repository) {
        var path = notebook.string("path");
        return notebook.has("git") ? repository + "/" + path : path;
    }

    private static Optional<RunOrder.Checkout> checkout(Json.Obj notebook) {
        return notebook.has("git") ? Optional.of(RunOrder.Checkout.of(notebook.object("git"))) : Optional.empty();
    }
}

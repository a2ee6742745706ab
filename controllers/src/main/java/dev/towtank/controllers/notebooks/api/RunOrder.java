package dev.towtank.controllers.notebooks.api;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.Optional;

/// What is to be run in a pod, as it is written on it. No secret is in it: only the name of one.
///
/// @param notebook its path in the pod
/// @param golden the path of the one to compare with
/// @param settings `validationConfig` and `comparisonConfig`
/// @param parameters by name
public record RunOrder(
        String notebook,
        Optional<String> golden,
        Optional<Checkout> source,
        Optional<Checkout> goldenSource,
        Duration timeout,
        Json.Obj settings,
        Json.Obj parameters) {

    /// On pods.
    public static final String ANNOTATION = "towtank.dev/notebook-run";

    public static final String LABEL = "mlops.dev/notebook-job";
    public static final String RUN_COMMAND = "/towtank/run-notebook";
    public static final String CLONE_COMMAND = "/towtank/clone-notebook";

    /// The container in which the notebook runs.
    public static final String CONTAINER = "validator";

    /// Before it, the containers that fetch.
    public static final String CLONE_CONTAINER = "git-clone";

    public static final String GOLDEN_CONTAINER = "golden-git-clone";
    public static final String REPOSITORY = "/workspace/repo";
    public static final String GOLDEN_REPOSITORY = "/workspace/golden";

    /// Where a container that fetches beside the steps of a task leaves word for them: the file `commit` or `problem`.
    public static final String WORD = "/workspace/word";

    /// With which fetching ends when it may go well another time.
    public static final int TRY_AGAIN = 75;

    /// @param secret its name; empty for none
    public record Checkout(String url, String ref, String secret) {
        Json.Obj json() {
            return Json.Obj.of("url", Json.of(url), "ref", Json.of(ref), "secret", Json.of(secret));
        }

        public static Checkout of(Json.Obj git) {
            return new Checkout(git.string("url"), git.string("ref"), git.string("credentialsSecret"));
        }
    }

    public String text() {
        var json = Json.Obj.builder()
                .put("notebook", notebook)
                .put("timeoutMillis", timeout.toMillis())
                .put("settings", settings)
                .put("parameters", parameters);
        golden.ifPresent(path -> json.put("golden", path));
        source.ifPresent(git -> json.put("source", git.json()));
        goldenSource.ifPresent(git -> json.put("goldenSource", git.json()));
        return JsonText.write(json.build());
    }

    public static RunOrder on(Resource pod) {
        var json = JsonText.parseObject(pod.annotations().getOrDefault(ANNOTATION, "{}"));
        return new RunOrder(
                json.string("notebook"),
                Optional.of(json.string("golden")).filter(path -> !path.isEmpty()),
                checkout(json, "source"),
                checkout(json, "goldenSource"),
                Duration.ofMillis(json.integer("timeoutMillis")),
                json.object("settings"),
                json.object("parameters"));
    }

    private static Optional<Checkout> checkout(Json.Obj json, String field) {
        var git = json.object(field);
        return git.size() == 0
                ? Optional.empty()
                : Optional.of(new Checkout(git.string("url"), git.string("ref"), git.string("secret")));
    }
}

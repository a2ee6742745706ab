package dev.towtank.app.conformance;

import dev.towtank.app.conformance.Verdict.Failed;
import dev.towtank.app.conformance.Verdict.Skipped;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Tries one example in a namespace of its own.
///
/// @param patience how long its run may take
/// @param setsFlags whether the server has the flags that the example needs
record Trial(Api api, KindPaths kinds, String namespace, Duration patience, boolean setsFlags) {

    private static final int LONGEST_LOG_LINES = 200;

    Verdict of(Example example) {
        try {
            var text = example.text()
                    .replaceAll(
                            "namespace: (default|" + Pattern.quote(example.namespace()) + ")(?=\\s|$)",
                            "namespace: " + namespace);
            var objects = YamlText.parseAll(text.getBytes(StandardCharsets.UTF_8)).stream()
                    .filter(Json.Obj.class::isInstance)
                    .map(Json.Obj.class::cast)
                    .filter(object -> !object.isEmpty())
                    .toList();
            return tried(example, text, objects);
        } catch (IOException | JsonText.Malformed e) {
            return new Failed("cannot be read: " + e.getMessage());
        }
    }

    private Verdict tried(Example example, String text, List<Json.Obj> objects) {
        api.send("POST", "/api/v1/namespaces", """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(namespace));
        try {
            var created = new ArrayList<Json.Obj>();
            for (var object : objects) {
                var path = kinds.of(object, namespace);
                if (path.isEmpty()) {
                    return Evidence.ofUnknownKind(object.string("apiVersion"), object.string("kind"));
                }
                var answer = api.send("POST", path.get() + "?fieldValidation=Strict", JsonText.write(object));
                if (isSharedAlready(path.get(), answer)) {
                    continue;
                }
                if (!answer.isGood()) {
                    return Evidence.ofRefusal(message(answer), setsFlags);
                }
                created.add(JsonText.parseObject(answer.body()));
            }
            return run(example, created)
                    .map(run -> awaited(run, text))
                    .orElseGet(() -> new Skipped("no run is created: there is nothing to check"));
        } finally {
            api.send("DELETE", "/api/v1/namespaces/" + namespace, "");
        }
    }

    /// What is in no namespace is everybody's: another example may have brought it.
    private static boolean isSharedAlready(String path, Api.Answer answer) {
        return answer.code() == 409 && !path.contains("/namespaces/");
    }

    private static String message(Api.Answer answer) {
        try {
            return JsonText.parseObject(answer.body()).string("message");
        } catch (JsonText.Malformed e) {
            return "the server answers " + answer.code();
        }
    }

    private static Optional<Json.Obj> run(Example example, List<Json.Obj> created) {
        return created.stream()
                .filter(object -> object.string("apiVersion").startsWith("tekton.dev/"))
                .filter(object -> example.kindOfRun()
                        .map(kind -> kind.equals(object.string("kind")))
                        .orElseGet(() -> List.of("TaskRun", "PipelineRun").contains(object.string("kind"))))
                .findFirst();
    }

    private Verdict awaited(Json.Obj run, String text) {
        var newest = new AtomicReference<>(run);
        var path = kinds.of(run, namespace).orElseThrow() + "?watch=true&fieldSelector=metadata.name%3D"
                + run.string("metadata", "name") + "&timeoutSeconds=" + patience.toSeconds();
        api.follow(path, patience, line -> {
            newest.set(JsonText.parseObject(line).object("object"));
            return isOver(newest.get());
        });
        var last = newest.get();
        return Evidence.condition(last).string("status").equals("True")
                ? new Verdict.Passed()
                : evidence(last, text).verdict(isOver(last));
    }

    static boolean isOver(Json.Obj run) {
        return List.of("True", "False").contains(Evidence.condition(run).string("status"));
    }

    Evidence evidence(Json.Obj run, String text) {
        var pods = list("/api/v1/namespaces/" + namespace + "/pods");
        var runs = list("/apis/tekton.dev/v1/namespaces/" + namespace + "/taskruns");
        var logs = pods.stream().flatMap(pod -> logs(pod).stream()).toList();
        return new Evidence(text, run, runs, pods, logs, Programs::isInstalled);
    }

    List<Json.Obj> list(String path) {
        var answer = api.send("GET", path, "");
        return answer.isGood() ? JsonText.parseObject(answer.body()).objects("items") : List.of();
    }

    private List<Evidence.Log> logs(Json.Obj pod) {
        var name = pod.string("metadata", "name");
        return Stream.of("containerStatuses", "initContainerStatuses")
                .flatMap(statuses -> pod.objects("status", statuses).stream())
                .flatMap(status -> badLogs(status).stream().map(query -> log(name, status, query)))
                .toList();
    }

    /// How to ask for what a container said before it ended badly. A sidecar that did is started anew when its pod is
    /// over, and
    /// what it said is that of the one before.
    static List<String> badLogs(Json.Obj status) {
        var queries = new ArrayList<String>();
        if (status.integer("state", "terminated", "exitCode") != 0) {
            queries.add("");
        }
        if (status.integer("lastState", "terminated", "exitCode") != 0) {
            queries.add("&previous=true");
        }
        return queries;
    }

    private Evidence.Log log(String pod, Json.Obj status, String query) {
        var container = status.string("name");
        var answer = api.send(
                "GET",
                "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/log?tailLines=" + LONGEST_LOG_LINES
                        + "&container=" + container + query,
                "");
        return new Evidence.Log(container, answer.isGood() ? answer.body() : "");
    }
}

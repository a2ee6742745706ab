package dev.towtank.app.conformance;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Takes every object, and ends every run as told by its annotation `ends`.
final class FakeApi implements Api {

    final List<String> requests = new ArrayList<>();
    private final Map<String, Json.Obj> runs = new ConcurrentHashMap<>();

    @Override
    public synchronized Answer send(String method, String path, String body) {
        requests.add(method + " " + path + (body.contains("feature-flags") ? " " + body : ""));
        if (path.equals("/apis/tekton.dev/v1")) {
            return new Answer(200, """
                    {"resources": [{"name": "taskruns", "kind": "TaskRun", "namespaced": true},
                                   {"name": "taskruns/status", "kind": "TaskRun", "namespaced": true}]}""");
        }
        if (method.equals("POST") && body.contains("\"refused\"")) {
            return new Answer(400, "{\"message\": \"missing field(s): spec\"}");
        }
        if (method.equals("POST") && path.contains("/taskruns")) {
            var run = JsonText.parseObject(body);
            runs.put(run.string("metadata", "name"), run);
            return new Answer(201, body);
        }
        return path.startsWith("/apis/") && method.equals("GET") && !path.contains("/namespaces/")
                ? new Answer(404, "{}")
                : new Answer(200, "{}");
    }

    @Override
    public void follow(String path, Duration longest, Predicate<String> isEnough) {
        var name = path.replaceFirst(".*metadata.name%3D", "").replaceFirst("&.*", "");
        var run = runs.getOrDefault(name, Json.Obj.EMPTY);
        var condition = Json.Obj.of(
                "type", Json.of("Succeeded"),
                "status", Json.of(run.string("metadata", "annotations", "ends")),
                "reason", Json.of("Said"));
        var ended = run.with("status", Json.Obj.of("conditions", Json.Arr.of(condition)));
        for (var object : List.of(run, ended)) {
            if (isEnough.test(JsonText.write(Json.Obj.of("type", Json.of("MODIFIED"), "object", object)))) {
                return;
            }
        }
    }
}

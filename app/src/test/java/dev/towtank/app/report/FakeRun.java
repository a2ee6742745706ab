package dev.towtank.app.report;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A run from a YAML file: the run first, then its children.
record FakeRun(Json.Obj run, List<Json.Obj> children, Map<String, String> logs) implements RunSource {

    static FakeRun of(String yaml) {
        var objects =
                YamlText.parseAll(yaml).stream().map(each -> (Json.Obj) each).toList();
        return new FakeRun(objects.getFirst(), objects.subList(1, objects.size()), new TreeMap<>());
    }

    static FakeRun resource(String name) {
        try (var in = FakeRun.class.getResourceAsStream(name)) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeRun with(String pod, String container, String log) {
        logs.put(pod + "/" + container, log);
        return this;
    }

    @Override
    public Log log(String pod, String container) {
        var log = logs.get(pod + "/" + container);
        return log == null ? Log.none("Its pod is gone, and the log with it.") : Log.of(log);
    }

    @Override
    public Map<String, String> surroundings() {
        return Map.of("Kubernetes API", "v1.35.0");
    }
}

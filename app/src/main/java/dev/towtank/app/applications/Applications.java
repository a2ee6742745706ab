package dev.towtank.app.applications;

import dev.towtank.app.client.ApiClient;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Applications on a server.
public record Applications(ApiClient client, String namespace) {

    private static final String MERGE = "application/merge-patch+json";
    private static final String SERVER = "https://kubernetes.default.svc";

    private String path() {
        return "/apis/argoproj.io/v1alpha1/namespaces/" + namespace + "/applications";
    }

    public List<Json.Obj> list() {
        return client.get(path()).objects("items");
    }

    public Optional<Json.Obj> find(String name) {
        return list().stream()
                .filter(each -> each.string("metadata", "name").equals(name))
                .findFirst();
    }

    public void operate(String name, Json.Obj operation) {
        client.send("PATCH", path() + "/" + name, MERGE, Json.Obj.of("operation", operation));
    }

    public void terminate(String name) {
        var phase = Json.Obj.of("phase", Json.of("Terminating"));
        client.send(
                "PATCH",
                path() + "/" + name + "/status",
                MERGE,
                Json.Obj.of("status", Json.Obj.of("operationState", phase)));
    }

    /// The next state that it is told of, or the last one when nothing happens for a moment.
    public void follow(String name, Predicate<Json.Obj> goOn) {
        var query = "?fieldSelector=metadata.name%3D" + name + "&watch=true&timeoutSeconds=2";
        try (var lines = client.lines(path() + query, "application/json")) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var event = JsonText.parseObject(line);
                if (!goOn.test(event.object("object"))) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the server went away", e);
        }
    }

    public Surrounding surrounding(Json.Obj application) {
        var destination = application.object("spec", "destination");
        var server = destination.string("server");
        var place = server.startsWith(SERVER) ? server.substring(SERVER.length()) : "";
        var space = destination.string("namespace");
        if (space.isEmpty()) {
            return Surrounding.NOTHING;
        }
        var core = place + "/api/v1/namespaces/" + space;
        return new Surrounding(
                client.find(core + "/pods").map(found -> found.objects("items")).orElse(List.of()),
                client.find(core + "/events")
                        .map(found -> found.objects("items"))
                        .orElse(List.of()));
    }
}

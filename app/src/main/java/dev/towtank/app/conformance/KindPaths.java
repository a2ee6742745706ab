package dev.towtank.app.conformance;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Where the objects of a kind live, by the server's own word.
final class KindPaths {

    private final Api api;
    private final Map<String, Json.Obj> versions = new ConcurrentHashMap<>();

    KindPaths(Api api) {
        this.api = api;
    }

    /// The path of all objects of this one's kind; empty when the server has no such kind.
    Optional<String> of(Json.Obj object, String namespace) {
        var version = object.string("apiVersion");
        var root = version.contains("/") ? "/apis/" + version : "/api/" + version;
        return versions.computeIfAbsent(root, this::resources).objects("resources").stream()
                .filter(resource -> resource.string("kind").equals(object.string("kind")))
                .filter(resource -> !resource.string("name").contains("/"))
                .map(resource -> isNamespaced(resource)
                        ? root + "/namespaces/" + namespace + "/" + resource.string("name")
                        : root + "/" + resource.string("name"))
                .findFirst();
    }

    private static boolean isNamespaced(Json.Obj resource) {
        return resource.get("namespaced") instanceof Json.Bool(var yes) && yes;
    }

    private Json.Obj resources(String root) {
        var answer = api.send("GET", root, "");
        return answer.isGood() ? JsonText.parseObject(answer.body()) : Json.Obj.EMPTY;
    }
}

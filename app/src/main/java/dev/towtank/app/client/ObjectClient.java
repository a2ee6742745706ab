package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Objects of one namespace by the words that people use for their kinds.
public final class ObjectClient {
    private final ApiClient client;
    private final String namespace;
    private Discovery known = new Discovery(List.of());

    public ObjectClient(ApiClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /// Server-side applies all documents, in their order, and takes over what others own.
    public List<Resource> apply(String yaml, String fieldManager) {
        var applied = new ArrayList<Resource>();
        for (var object : objects(yaml)) {
            var path = type(object).path(namespaceOf(object), object.string("metadata", "name"))
                    + "?force=true&fieldManager=" + ResourceType.segment(fieldManager);
            applied.add(Resource.of(client.send("PATCH", path, "application/apply-patch+yaml", object)));
        }
        return applied;
    }

    /// Creates all documents, in their order.
    public List<Resource> create(String yaml) {
        return create(objects(yaml));
    }

    public List<Resource> create(List<Json.Obj> objects) {
        var created = new ArrayList<Resource>();
        for (var object : objects) {
            created.add(
                    Resource.of(client.send("POST", type(object).path(namespaceOf(object)), ApiClient.JSON, object)));
        }
        return created;
    }

    private static List<Json.Obj> objects(String yaml) {
        return YamlText.parseAll(yaml).stream()
                .filter(document -> !(document instanceof Json.Null))
                .map(document -> document instanceof Json.Obj object ? object : Json.Obj.EMPTY)
                .toList();
    }

    private String namespaceOf(Json.Obj object) {
        var own = object.string("metadata", "namespace");
        return own.isEmpty() ? namespace : own;
    }

    private ResourceType type(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        var version = apiVersion.substring(slash + 1);
        return find(type -> type.kind().equals(object.string("kind"))
                        && type.group().equals(group))
                .map(type -> type.at(version))
                .orElseThrow(() -> new ClientProblem("The server has no kind " + object.string("kind") + " in \""
                        + apiVersion + "\". Apply its CustomResourceDefinition first."));
    }

    /// A definition may have brought new kinds since the last look.
    private Optional<ResourceType> find(Predicate<ResourceType> wanted) {
        var found = known.types().stream().filter(wanted).findFirst();
        if (found.isEmpty()) {
            known = Discovery.of(client);
            found = known.types().stream().filter(wanted).findFirst();
        }
        return found;
    }

    private ResourceType type(String word) {
        return find(type -> type.answersTo(word)).orElseGet(() -> known.of(word).getFirst());
    }

    public Optional<Resource> find(String kind, String name) {
        return client.find(type(kind).path(namespace, name)).map(Resource::of);
    }

    public List<Resource> list(String kind) {
        var type = type(kind);
        return client.get(type.path(namespace)).objects("items").stream()
                .map(item -> Resource.of(
                        item.with("apiVersion", Json.of(type.apiVersion())).with("kind", Json.of(type.kind()))))
                .toList();
    }

    /// Those that can be listed, in the plural.
    public List<String> kinds() {
        return Discovery.of(client).types().stream()
                .filter(type -> type.verbs().contains("list"))
                .map(ResourceType::plural)
                .distinct()
                .toList();
    }

    /// What is not there is gone already.
    public void delete(String kind, String name) {
        try {
            client.send("DELETE", type(kind).path(namespace, name), ApiClient.JSON, Json.Obj.EMPTY);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.NOT_FOUND)) {
                throw e;
            }
        }
    }

    /// Waits, for as long as it takes.
    ///
    /// @return nothing when the object is not there, or no longer
    public Optional<Resource> await(String kind, String name, Predicate<Resource> enough) {
        return new Watching(client)
                .await(type(kind), namespace, name, object -> enough.test(Resource.of(object)))
                .map(Resource::of);
    }

    /// Waits until it is there and as it should be, for as long as it takes.
    public Resource awaitThere(String kind, String name, Predicate<Resource> enough) {
        return Resource.of(new Watching(client)
                .awaitThere(type(kind), namespace, name, object -> enough.test(Resource.of(object))));
    }

    /// What the only container of a pod has written.
    public String log(String pod) {
        try (var log = client.stream(ResourceType.PODS.path(namespace, pod) + "/log")) {
            return new String(log.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

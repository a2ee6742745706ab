package dev.towtank.app.engine;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.Events;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// Gives a feature something to do, as an administrator, and waits for what it makes of it.
///
/// A document of a file is an object to create or change, or one step: `await` a field of an object, or that it is
/// `gone`, `delete` it, or `post` a body to a path of the server or to a port of an endpoint slice, `until` an Event
/// tells of it by its reason. Objects are in a namespace of the feature's own, and in the cluster where it is driven,
/// unless
/// they say another.
record Drive(Engine engine, Door door, InstantSource clock, String feature, Path repository) {

    /// Where paths of features are, and how to get in.
    record Door(URI address, SSLContext tls) {}

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// A logical cluster.
    static void make(Cluster cluster, LogicalCluster place) {
        cluster.create(
                LogicalClusters.KIND,
                Resource.of(object("{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: %s}}"
                        .formatted(place.id()))),
                WriteOptions.DEFAULT);
    }

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    /// With something to deploy.
    static Path repository(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("deploy"));
        Files.writeString(directory.resolve("deploy/all.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                data: {color: green}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
                """);
        git(directory, "init", "-q", "-b", "main");
        git(directory, "add", ".");
        git(directory, "-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-q", "-m", "one");
        return directory;
    }

    private static void git(Path directory, String... arguments) throws IOException, InterruptedException {
        var line = new ArrayList<>(List.of("git", "-C", directory.toString()));
        line.addAll(List.of(arguments));
        if (new ProcessBuilder(line).inheritIO().start().waitFor() != 0) {
            throw new IOException("failed: " + line);
        }
    }

    /// @return that all steps were taken
    boolean run(LogicalCluster place) throws IOException, InterruptedException {
        var namespace = object("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(ownNamespace()));
        engine.cluster().create(Namespaces.KIND, new Resource(place, namespace), WriteOptions.DEFAULT);
        for (var step : steps()) {
            try {
                take(place, step);
            } catch (RuntimeException e) {
                throw new IllegalStateException(
                        feature + " in " + place.id() + ": " + e.getMessage() + " at " + JsonText.write(step)
                                + state(place, step),
                        e);
            }
        }
        return true;
    }

    /// What the object says that was waited for.
    private String state(LogicalCluster place, Json.Obj step) {
        return step.has("await")
                ? engine.cluster()
                        .get(kind(step.object("await")), name(place, step.object("await")))
                        .map(object -> ", which says " + JsonText.write(object.status()))
                        .orElse(", which is not there")
                : "";
    }

    private String ownNamespace() {
        return "rights-" + feature;
    }

    /// Where others do the work than the server itself, some have a file of their own.
    private InputStream file() {
        var own = isRemote() ? Drive.class.getResourceAsStream("/rights/remote/" + feature + ".yaml") : null;
        return own != null
                ? own
                : Objects.requireNonNull(
                        Drive.class.getResourceAsStream("/rights/" + feature + ".yaml"),
                        "there is no rights/" + feature + ".yaml");
    }

    private boolean isRemote() {
        return !door.address().equals(engine.address());
    }

    private List<Json.Obj> steps() throws IOException {
        try (var in = file()) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            var filled = text.replace("REPOSITORY", "file://" + repository);
            return YamlText.parseAll(filled.getBytes(StandardCharsets.UTF_8)).stream()
                    .map(Json.Obj.class::cast)
                    .toList();
        }
    }

    private void take(LogicalCluster place, Json.Obj step) throws IOException, InterruptedException {
        if (step.has("await")) {
            awaitField(place, step.object("await"));
        } else if (step.has("gone")) {
            var name = name(place, step.object("gone"));
            await(kind(step.object("gone")), place, objects -> objects.noneMatch(isCalled(name)));
        } else if (step.has("delete")) {
            engine.cluster()
                    .delete(kind(step.object("delete")), name(place, step.object("delete")), DeleteOptions.DEFAULT);
        } else if (step.has("post")) {
            postUntilTold(place, step.object("post"));
        } else {
            apply(place, step);
        }
    }

    private void apply(LogicalCluster place, Json.Obj object) {
        var kind = kind(object);
        var namespace = object.string("metadata", "namespace");
        var placed = kind.isNamespaced() && namespace.isEmpty()
                ? object.with(List.of("metadata", "namespace"), Json.of(ownNamespace()))
                : object;
        var resource = new Resource(place, placed);
        try {
            engine.cluster().create(kind, resource, WriteOptions.DEFAULT);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                throw e;
            }
            engine.cluster().patch(kind, ObjectName.of(resource), new Patch.Merge(placed), WriteOptions.DEFAULT);
        }
    }

    private void awaitField(LogicalCluster place, Json.Obj wanted) throws InterruptedException {
        var path = wanted.array("at").strings().toArray(String[]::new);
        var value = wanted.string("is");
        var name = name(place, wanted);
        await(
                kind(wanted),
                name.cluster(),
                objects -> objects.filter(isCalled(name))
                        .map(object -> text(object.json(), path))
                        .anyMatch(found -> value.isEmpty() ? !found.isEmpty() : found.equals(value)));
    }

    private static String text(Json.Obj object, String... path) {
        Json at = object;
        for (var key : path) {
            at = at instanceof Json.Arr list
                    ? list.size() > Integer.parseInt(key) ? list.get(Integer.parseInt(key)) : Json.Null.NULL
                    : at instanceof Json.Obj fields && fields.has(key) ? fields.get(key) : Json.Null.NULL;
        }
        return at.equals(Json.Null.NULL) ? "" : at.display();
    }

    private static Predicate<Resource> isCalled(ObjectName name) {
        return object -> ObjectName.of(object).equals(name);
    }

    private void await(Kind<?> kind, LogicalCluster place, Predicate<Stream<Resource>> condition)
            throws InterruptedException {
        var end = clock.instant().plus(PATIENCE);
        while (clock.instant().isBefore(end)) {
            var listing = engine.cluster().list(kind, Selection.in(place));
            if (condition.test(listing.items().stream())) {
                return;
            }
            try (var watch = engine.cluster().watch(kind, Selection.in(place), listing.resourceVersion())) {
                watch.next(PATIENCE);
            }
        }
        throw new IllegalStateException("waited in vain");
    }

    private ObjectName name(LogicalCluster place, Json.Obj reference) {
        var namespace = reference.string("namespace");
        var cluster = reference.string("cluster");
        return new ObjectName(
                cluster.isEmpty() ? place : new LogicalCluster(cluster),
                !kind(reference).isNamespaced() ? "" : namespace.isEmpty() ? ownNamespace() : namespace,
                reference.string("name"));
    }

    static Kind<?> kind(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        var kind = object.string("kind");
        return Stream.<Kind<?>>concat(Stream.of(CustomResourceDefinitions.KIND), BuiltinKinds.ALL.stream())
                .filter(each ->
                        each.apiVersion().equals(apiVersion) && each.kind().equals(kind))
                .<Kind<?>>map(each -> each)
                .findFirst()
                .or(() -> DefinedKinds.find(
                        Features.definitions().stream().filter(Drive::isDefinition), apiVersion, kind))
                .orElseThrow(() -> new IllegalArgumentException("no kind " + apiVersion + " " + kind));
    }

    private static boolean isDefinition(Json.Obj object) {
        return object.string("kind").equals(CustomResourceDefinitions.KIND.kind());
    }

    /// As often as it takes: what answers may not have heard yet of the objects that were made before.
    private void postUntilTold(LogicalCluster place, Json.Obj request) throws IOException, InterruptedException {
        var wanted = request.string("until");
        var end = clock.instant().plus(PATIENCE);
        while (clock.instant().isBefore(end)) {
            post(place, request);
            var events = engine.cluster().list(Events.KIND, Selection.in(place));
            if (wanted.isEmpty() || events.items().stream().anyMatch(event -> isTold(event, wanted))) {
                return;
            }
            try (var watch = engine.cluster().watch(Events.KIND, Selection.in(place), events.resourceVersion())) {
                watch.next(Duration.ofSeconds(1));
            }
        }
        throw new IllegalStateException("waited in vain");
    }

    private boolean isTold(Resource event, String reason) {
        return event.namespace().equals(ownNamespace())
                && event.json().string("reason").equals(reason);
    }

    private void post(LogicalCluster place, Json.Obj request) throws IOException, InterruptedException {
        var slice = request.string("slice");
        var address = slice.isEmpty()
                ? door.address() + request.string("path")
                : "http://127.0.0.1:" + port(place, slice) + "/";
        var post = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonText.write(request.object("body"))));
        request.object("headers").forEach((key, value) -> post.header(key, value.display()));
        try (var client = HttpClient.newBuilder().sslContext(door.tls()).build()) {
            var answer = client.send(post.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IOException(answer.statusCode() + " " + answer.body());
            }
        }
    }

    private String port(LogicalCluster place, String slice) {
        return engine.cluster()
                .get(EndpointSlices.KIND, new ObjectName(place, ownNamespace(), slice))
                .map(found -> text(found.json(), "ports", "0", "port"))
                .orElseThrow();
    }
}

package dev.towtank.app.example;

import static dev.towtank.app.example.LanternReconciler.LANTERNS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.engine.EmbeddedEngine;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.HeadStart;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.namespaces.NamespacesFeature;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Events;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example feature in the real engine, under its own identity. Each test has a namespace of its own.
@Timeout(120)
class LanternFeatureTest {

    private static final Kind<Json.Obj> MOTHS = Kind.namespaced("insects.example.com", "v1", "Moth", "moths");
    private static final String DEFINITION_OF_MOTHS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: moths.insects.example.com}
            spec:
              group: insects.example.com
              scope: Namespaced
              names: {kind: Moth, plural: moths}
              versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
            """;

    @TempDir
    static Path directory;

    private static Pki pki;
    private static Engine engine;

    @BeforeAll
    static void start() throws IOException {
        pki = Pki.open(directory.resolve("pki"), InstantSource.system(), List.of());
        engine = begun();
    }

    private static Engine begun() throws IOException {
        var site = new Engine.Site(
                Optional.of(directory.resolve("store")),
                directory.resolve("features"),
                directory.resolve("audit"),
                AuditSink.Level.METADATA,
                0,
                true,
                pki,
                InstantSource.system(),
                Optional.empty(),
                Optional.of(
                        new Engine.Node(directory.resolve("node"), directory.resolve("images.yaml"), true, List.of())));
        var lanterns = new LanternFeature(town -> town.startsWith("night"));
        return new EmbeddedEngine(HeadStart.of(), List.of(new NamespacesFeature(), lanterns)).start(site);
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @Test
    void lightsLanternsWhereItIsDark() throws InterruptedException {
        namespace("dark");
        lantern("dark", "night", "nightville", "");
        lantern("dark", "day", "daytown", "");

        await(LANTERNS, "dark", "night", lantern -> phase(lantern).equals("Lit"));
        await(LANTERNS, "dark", "day", lantern -> phase(lantern).equals("Off"));
        assertThat(engine.cluster()
                        .get(ConfigMaps.KIND, ObjectName.of("dark", "night"))
                        .orElseThrow()
                        .json()
                        .string("data", "phase"))
                .isEqualTo("Lit");
    }

    @Test
    void countsAndTellsBesideItsObjects() throws Exception {
        namespace("told");
        lantern("told", "night", "nightingale", "");
        await(LANTERNS, "told", "night", lantern -> phase(lantern).equals("Lit"));

        assertThat(fetch("/readyz")).isEqualTo("ok");
        assertThat(fetch("/metrics", text -> text.contains("\nlanterns_lit_total ")))
                .contains("\nlanterns_reconcile_");
        assertThat(towns()).contains("nightingale");
    }

    @Test
    void whatIsInItsDirectoryOutlivesTheServer() throws Exception {
        namespace("kept");
        lantern("kept", "night", "nightfall", "");
        await(LANTERNS, "kept", "night", lantern -> phase(lantern).equals("Lit"));

        engine.close();
        engine = begun();

        assertThat(towns()).contains("nightfall").doesNotHaveDuplicates();
    }

    @Test
    void theNodePlaysItsProgram() throws Exception {
        namespace("burning");
        lantern("burning", "night", "nightshade", "");
        create(Pods.KIND, flame("wick", "night"));
        create(Pods.KIND, flame("lost", "nobody"));

        await(Pods.KIND, "burning", "wick", pod -> phase(pod).equals("Succeeded"));
        await(Pods.KIND, "burning", "lost", pod -> phase(pod).equals("Failed"));
        assertThat(fetch("/lanterns", text -> text.contains("wick: a light in nightshade\n")))
                .doesNotContain("lost");
        await(Events.KIND, "burning", "", event -> event.json().string("reason").equals("Burnt"));
    }

    private static String flame(String name, String lantern) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: burning, labels: {example.towtank.dev/lantern: %s}}
                spec: {restartPolicy: Never, containers: [{name: flame, image: none, command: [flame]}]}
                """.formatted(name, lantern);
    }

    @Test
    void followsKindsThatComeAndGo() throws InterruptedException {
        namespace("garden");
        lantern("garden", "night", "nightgarden", ", attracts: {kind: Moth, plural: moths}");
        await(LANTERNS, "garden", "night", lantern -> phase(lantern).equals("Lit") && insects(lantern) == 0);

        create(CustomResourceDefinitions.KIND, DEFINITION_OF_MOTHS);
        await(CustomResourceDefinitions.KIND, "", "moths.insects.example.com", LanternFeatureTest::isEstablished);
        create(MOTHS, "{apiVersion: insects.example.com/v1, kind: Moth, metadata: {name: m, namespace: garden}}");
        await(LANTERNS, "garden", "night", lantern -> insects(lantern) == 1);
        engine.cluster()
                .delete(
                        CustomResourceDefinitions.KIND,
                        ObjectName.of("", "moths.insects.example.com"),
                        DeleteOptions.DEFAULT);
        await(LANTERNS, "garden", "night", lantern -> insects(lantern) == 0);
    }

    private static boolean isEstablished(Resource definition) {
        return definition.status().objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Established")
                        && each.string("status").equals("True"));
    }

    private static long insects(Resource lantern) {
        return lantern.status().integer("insects");
    }

    @Test
    void refusesWhatItsRulesForbid() {
        namespace("ruled");
        lantern("ruled", "first", "daybreak", "");

        assertThatThrownBy(() -> lantern("ruled", "second", "daybreak", ""))
                .hasMessageContaining("the town has a lantern already");
        var elsewhere = (Json.Obj) YamlText.parse("{spec: {town: dayton}}");
        assertThatThrownBy(() -> engine.cluster()
                        .patch(
                                LANTERNS,
                                ObjectName.of("ruled", "first"),
                                new Patch.Merge(elsewhere),
                                WriteOptions.DEFAULT))
                .hasMessageContaining("a lantern does not move");
    }

    private static void namespace(String name) {
        create(Namespaces.KIND, "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
    }

    private static void lantern(String namespace, String name, String town, String more) {
        create(LANTERNS, """
                {apiVersion: example.towtank.dev/v1, kind: Lantern, metadata: {name: %s, namespace: %s},
                spec: {town: %s%s}}
                """.formatted(name, namespace, town, more));
    }

    private static void create(Kind<?> kind, String yaml) {
        engine.cluster().create(kind, Resource.of((Json.Obj) YamlText.parse(yaml)), WriteOptions.DEFAULT);
    }

    private static String phase(Resource object) {
        return object.status().string("phase");
    }

    /// @param name empty for any
    private static void await(Kind<?> kind, String namespace, String name, Predicate<Resource> condition)
            throws InterruptedException {
        while (true) {
            var listing = engine.cluster().list(kind, Selection.EVERYWHERE);
            if (listing.items().stream()
                    .anyMatch(each -> each.namespace().equals(namespace)
                            && (name.isEmpty() || each.name().equals(name))
                            && condition.test(each))) {
                return;
            }
            try (var watch = engine.cluster().watch(kind, Selection.EVERYWHERE, listing.resourceVersion())) {
                watch.next(Duration.ofSeconds(10));
            }
        }
    }

    private static List<String> towns() throws Exception {
        var address = fetch("/lanterns").lines().findFirst().orElseThrow().replace("towns: ", "");
        return List.of(get(URI.create(address)).split(" ", -1));
    }

    /// As soon as it says so: caches and observers follow a moment after the objects.
    private static String fetch(String path, Predicate<String> condition) throws IOException, InterruptedException {
        var text = fetch(path);
        while (!condition.test(text)) {
            text = fetch(path);
        }
        return text;
    }

    private static String fetch(String path) throws IOException, InterruptedException {
        return get(engine.address().resolve(path));
    }

    private static String get(URI address) throws IOException, InterruptedException {
        try (var client =
                HttpClient.newBuilder().sslContext(pki.clientTls(pki.admin())).build()) {
            var answer = client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }
}

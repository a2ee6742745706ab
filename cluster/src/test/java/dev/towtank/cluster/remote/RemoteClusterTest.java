package dev.towtank.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.cluster.testing.ClusterContract;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteClusterTest extends ClusterContract {

    private static FakeServer server;
    private static RemoteCluster remote;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = new FakeServer(List.of(NAMESPACES, CONFIG_MAPS, INGRESSES));
        remote = RemoteCluster.of(Files.writeString(folder.resolve("config"), server.kubeconfig()), Optional.empty());
    }

    @AfterAll
    static void stop() {
        remote.close();
        server.close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(server.canned).isEmpty();
    }

    @Override
    protected Cluster cluster() {
        return remote;
    }

    @Override
    protected void forgetHistory() {
        server.cluster().forgetHistory();
    }

    private static void answerNext(int code, String body) {
        server.canned.add(new FakeServer.Canned(code, body, Map.of()));
    }

    @Test
    void createsASubresourceOfTheObjectThatItIsOf() {
        create(map("m", "1"));
        answerNext(201, "{\"apiVersion\":\"v1\",\"kind\":\"Part\",\"status\":{\"token\":\"t\"}}");

        var answer = cluster().create(CONFIG_MAPS, map("m", "2"), Cluster.WriteOptions.DEFAULT.on("token"));

        assertThat(answer.status().string("token")).isEqualTo("t");
        assertThat(server.requests).anyMatch(line -> line.matches("POST .*/configmaps/m/token .*"));
    }

    @Test
    void saysWhereItsServerIsAndHowItIsKnown() {
        assertThat(remote.address().toString()).doesNotEndWith("/");
        assertThat(remote.authority()).isEmpty();
    }

    @Test
    void readsAllPagesOfAList() {
        for (int i = 0; i < 7; i++) {
            create(map("m" + i, "1"));
        }

        assertThat(cluster().list(CONFIG_MAPS, ours()).items())
                .extracting(Resource::name)
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6");
    }

    @Test
    void readsTheListAtOnceWhenItsPagesExpired() {
        for (int i = 0; i < 3; i++) {
            create(map("m" + i, "1"));
        }
        answerNext(200, "{\"metadata\":{\"continue\":\"2\"},\"items\":[]}");
        answerNext(410, JsonText.write(StatusError.expired("too old").toJson()));

        assertThat(cluster().list(CONFIG_MAPS, ours()).items()).hasSize(3);
    }

    @Test
    void tellsAKindThatIsNotThereFromAnObjectThatIsNotThere() {
        var unknown = Kind.namespaced("example.com", "v1", "Thing", "things");

        assertRefused(Reason.NOT_FOUND, () -> cluster().get(unknown, ObjectName.of("n", "a")));
    }

    @Test
    void refusesOtherLogicalClusters() {
        var other = new LogicalCluster("other");

        assertThat(cluster().hasLogicalClusters()).isFalse();
        assertThatThrownBy(() -> cluster().get(CONFIG_MAPS, new ObjectName(other, "n", "a")))
                .hasMessage("a remote cluster has no logical cluster \"other\"");
        assertRefused(Reason.BAD_REQUEST, () -> cluster().list(CONFIG_MAPS, Selection.in(other)));
        assertRefused(Reason.BAD_REQUEST, () -> create(map(other, "n", "a", "1")));
    }

    @Test
    void neverDeletesAWholeCollectionForWantOfAName() {
        assertRefused(
                Reason.BAD_REQUEST,
                () -> cluster().delete(CONFIG_MAPS, ObjectName.of(namespace, ""), Cluster.DeleteOptions.DEFAULT));
    }

    @Test
    void keepsEverythingThatARefusalSays() {
        var told = """
                {"kind":"Status","apiVersion":"v1","status":"Failure","code":422,"reason":"Invalid","message":"no good",
                 "details":{"name":"a","kind":"ConfigMap","causes":[{"reason":"FieldValueInvalid","message":"m","field":"f"}]}}
                """;
        answerNext(422, told);

        assertThatThrownBy(() -> create(map("a", "1"))).isInstanceOfSatisfying(StatusError.class, error -> {
            assertThat(error.reason()).isEqualTo(Reason.INVALID);
            assertThat(error.text()).isEqualTo("no good");
            assertThat(error.details()).isEqualTo(((Json.Obj) JsonText.parse(told)).object("details"));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "403, FORBIDDEN",
        "404, NOT_FOUND",
        "409, CONFLICT",
        "410, EXPIRED",
        "429, TOO_MANY_REQUESTS",
        "500, INTERNAL_ERROR",
        "502, SERVICE_UNAVAILABLE",
        "503, SERVICE_UNAVAILABLE",
        "504, TIMEOUT"
    })
    void understandsRefusalsThatAreNoStatus(int code, Reason reason) {
        answerNext(code, "<html>sorry</html>");

        assertThatThrownBy(() -> cluster().get(CONFIG_MAPS, ObjectName.of(namespace, "a")))
                .isInstanceOfSatisfying(
                        StatusError.class, error -> assertThat(error.reason()).isEqualTo(reason))
                .hasMessage("the server answered " + code + ": <html>sorry</html>");
    }

    @Test
    void triesAnotherTokenBeforeItTakesARefusal() {
        answerNext(401, JsonText.write(StatusError.unauthorized().toJson()));
        answerNext(401, JsonText.write(StatusError.unauthorized().toJson()));

        assertRefused(Reason.UNAUTHORIZED, () -> cluster().get(CONFIG_MAPS, ObjectName.of(namespace, "a")));
    }

    @Test
    void understandsRefusalsOfAWatch() {
        answerNext(
                403,
                JsonText.write(
                        StatusError.forbidden(CONFIG_MAPS.resource(), "", "no").toJson()));
        assertRefused(Reason.FORBIDDEN, () -> cluster().watch(CONFIG_MAPS, ours(), "1"));

        answerNext(503, "");
        assertRefused(Reason.SERVICE_UNAVAILABLE, () -> cluster().watch(CONFIG_MAPS, ours(), "1"));
    }

    @Test
    void understandsErrorsInsideAWatch() throws InterruptedException {
        answerNext(200, """
                {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}
                {"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}
                """);
        try (var watch = cluster().watch(CONFIG_MAPS, ours(), "1")) {
            assertThat(watch.next(Duration.ofSeconds(10))).containsExactly(new Watch.Bookmark("9"));
            assertRefused(Reason.EXPIRED, () -> watch.next(Duration.ofSeconds(10)));
        }
    }

    @Test
    void tellsWhenTheServerEndsTheWatch() throws InterruptedException {
        var listing = cluster().list(CONFIG_MAPS, ours());
        try (var watch = cluster().watch(CONFIG_MAPS, ours(), listing.resourceVersion())) {
            create(map("a", "1"));
            assertThat(watch.next(Duration.ofSeconds(10))).hasSize(1);

            server.cluster().endWatches();
            assertThatThrownBy(() -> {
                        while (true) {
                            watch.next(Duration.ofSeconds(10));
                        }
                    })
                    .isInstanceOf(Watch.Ended.class);
        }
    }

    @Test
    void readsManyEventsWithoutHoldingThemAll() throws InterruptedException {
        var lines = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            lines.append("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"é%d\"}}}\n".formatted(i));
        }
        answerNext(200, lines.toString());
        int count = 0;
        try (var watch = cluster().watch(CONFIG_MAPS, ours(), "1")) {
            while (count < 5_000) {
                for (var event : watch.next(Duration.ofSeconds(10))) {
                    assertThat(((Watch.Added) event).object().name()).isEqualTo("é" + count);
                    count++;
                }
            }
        }
    }

    @Test
    void passesOnHowLongToWait() {
        server.canned.add(new FakeServer.Canned(429, "slow down", Map.of("Retry-After", "7")));

        assertThatThrownBy(() -> cluster().get(CONFIG_MAPS, ObjectName.of("n", "a")))
                .isInstanceOfSatisfying(
                        StatusError.class,
                        error -> assertThat(error.retryAfterSeconds()).isEqualTo(7));
    }

    @Test
    void saysWhoItIs() {
        cluster().get(CONFIG_MAPS, ObjectName.of(namespace, "who"));

        assertThat(server.requests)
                .anyMatch(request ->
                        request.equals("GET /api/v1/namespaces/" + namespace + "/configmaps/who Bearer very-secret"));
    }

    @Test
    void sendsItsOptions() {
        create(map("a", "1"));
        cluster().update(CONFIG_MAPS, map("a", "2"), new Cluster.WriteOptions("", "me & you", true, true, true));

        assertThat(server.requests)
                .anyMatch(request -> request.contains(
                        "/configmaps/a?dryRun=All&fieldManager=me%20%26%20you&fieldValidation=Strict&force=true"));
    }

    @Test
    void failsClearlyWhenNobodyAnswers() throws IOException {
        var gone = server.kubeconfig().replaceAll("localhost:[0-9]+", "localhost:1");
        try (var nobody = RemoteCluster.of(Files.writeString(folder.resolve("gone"), gone), Optional.of("other"))) {
            assertThatThrownBy(() -> nobody.get(CONFIG_MAPS, ObjectName.of("n", "a")))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("no answer to api/v1/namespaces/n/configmaps/a: ");
        }
    }

    @Test
    void refusesAKubeconfigThatCannotBeUsed() throws IOException {
        var missing = folder.resolve("missing");
        var config = Files.writeString(folder.resolve("again"), server.kubeconfig());

        assertThatThrownBy(() -> RemoteCluster.of(missing, Optional.empty()))
                .hasMessage("cannot read the kubeconfig " + missing);
        assertThatThrownBy(() -> RemoteCluster.of(config, Optional.of("nowhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no context \"nowhere\"");
    }
}

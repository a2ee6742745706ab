package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class WatchTest {

    private static final String WATCH = "/api/v1/pods?watch=true";

    private final FakeStream stream = new FakeStream();
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(TestServer.options(), fake());
    }

    private FakeBackend fake() {
        var fake = new FakeBackend();
        fake.api = _ -> new Answer.Watching(FakeBackend.PODS, stream, List.of("careful"));
        return fake;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void sendsEventsAsTheyHappen(HttpClient.Version version) throws Exception {
        try (var watch = watch(version, WATCH)) {
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a", 1));
            assertThat(watch.next()).isEqualTo(event("ADDED", FakeBackend.pod("a", 1)));

            stream.add(WatchStream.Type.MODIFIED, FakeBackend.pod("a", 2));
            stream.add(WatchStream.Type.DELETED, FakeBackend.pod("a", 3));
            assertThat(watch.next()).isEqualTo(event("MODIFIED", FakeBackend.pod("a", 2)));
            assertThat(watch.next()).isEqualTo(event("DELETED", FakeBackend.pod("a", 3)));
        }
    }

    @Test
    void sendsManyEventsInOrder() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a" + i, i));
        }
        try (var watch = watch(HttpClient.Version.HTTP_2, WATCH)) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(watch.next().string("object", "metadata", "name")).isEqualTo("a" + i);
            }
        }
    }

    @Test
    void answersAtOnceThoughNothingHappens() throws Exception {
        try (var watch = watch(HttpClient.Version.HTTP_1_1, WATCH)) {
            assertThat(watch.code).isEqualTo(200);
            assertThat(watch.headers.allValues("Warning")).containsExactly("299 - \"careful\"");
            // So a client can tell its end from a lost connection.
            assertThat(watch.headers.firstValue("Transfer-Encoding")).hasValue("chunked");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void endsWhenItsTimeIsOver(HttpClient.Version version) throws Exception {
        try (var watch = watch(version, WATCH + "&timeoutSeconds=5&allowWatchBookmarks=true")) {
            server.clock.advance(Duration.ofSeconds(5));

            assertThat(watch.next().string("type")).isEqualTo("BOOKMARK");
            assertThat(watch.reader.readLine()).isNull();
            stream.closed.await();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void endsWithWhatIsWatched(HttpClient.Version version) throws Exception {
        try (var watch = watch(version, WATCH)) {
            stream.add(WatchStream.Type.DELETED, FakeBackend.pod("a", 1));
            stream.over = true;

            assertThat(watch.next()).isEqualTo(event("DELETED", FakeBackend.pod("a", 1)));
            assertThat(watch.reader.readLine()).isNull();
            stream.closed.await();
        }
    }

    @Test
    void livesForHalfAnHourAtLeastWhenNobodySaysOtherwise() throws Exception {
        try (var watch = watch(HttpClient.Version.HTTP_2, WATCH)) {
            server.clock.advance(Duration.ofMinutes(29));
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a", 1));
            assertThat(watch.next().string("type")).isEqualTo("ADDED");

            server.clock.advance(Duration.ofMinutes(31));
            assertThat(watch.reader.readLine()).isNull();
        }
    }

    @Test
    void sendsBookmarksToWhoAsked() throws Exception {
        try (var watch = watch(HttpClient.Version.HTTP_2, WATCH + "&allowWatchBookmarks=true")) {
            server.clock.advance(Duration.ofSeconds(61));
            assertThat(watch.next().string("object", "metadata", "resourceVersion"))
                    .isEqualTo("99");
            server.clock.advance(Duration.ofSeconds(61));
            assertThat(watch.next().string("type")).isEqualTo("BOOKMARK");
        }
    }

    @Test
    void endsWithTheErrorOfTheStream() throws Exception {
        try (var watch = watch(HttpClient.Version.HTTP_2, WATCH)) {
            stream.fail(StatusError.tooOld(1, 5));

            assertThat(watch.next()).isEqualTo(JsonText.parseObject("""
                    {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "metadata": {},
                     "status": "Failure", "message": "too old resource version: 1 (5)", "reason": "Expired",
                     "code": 410}}
                    """));
            assertThat(watch.reader.readLine()).isNull();
        }
    }

    @Test
    void sendsColumnsOfTablesOnlyOnce() throws Exception {
        var accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
        try (var watch = watch(HttpClient.Version.HTTP_2, WATCH, "Accept", accept)) {
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a", 1));
            stream.add(WatchStream.Type.MODIFIED, FakeBackend.pod("a", 2));

            var first = watch.next().object("object");
            assertThat(first.objects("columnDefinitions")).hasSize(4);
            assertThat(first.objects("rows").getFirst().array("cells").strings())
                    .containsExactly("a", "Running", "10m", "node-1");
            var second = watch.next().object("object");
            assertThat(second.get("columnDefinitions")).isEqualTo(Json.Null.NULL);
            assertThat(second.string("metadata", "resourceVersion")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void survivesSilenceLongerThanTheIdleTimeout(HttpClient.Version version) throws Exception {
        // Jetty's timeout follows the real clock; long enough for a slow machine to shake hands in.
        var idle = Duration.ofMillis(500);
        var options = TestServer.options().withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(1), idle);
        server.close();
        server = new TestServer(options, fake());
        try (var watch = watch(version, WATCH)) {
            assertThat(stream.closed.await(3 * idle.toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a", 1));
            assertThat(watch.next().string("type")).isEqualTo("ADDED");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void cutsClientsThatDoNotRead(HttpClient.Version version) throws Exception {
        var large = FakeBackend.pod("a", 1).with("data", Json.of("x".repeat(1_000_000)));
        try (var watch = watch(version, WATCH)) {
            for (int i = 0; i < 100; i++) {
                stream.add(WatchStream.Type.MODIFIED, large);
            }
            assertThat(watch.next().string("type")).isEqualTo("MODIFIED");
            // Nothing more is read: sooner or later a write waits, and time passes.
            while (!stream.closed.await(10, TimeUnit.MILLISECONDS)) {
                server.clock.advance(Duration.ofSeconds(10));
            }
        }
        while (server.server.watches() > 0) {
            // It is forgotten a moment after its stream is closed.
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void noticesThatAClientIsGone(HttpClient.Version version) throws Exception {
        try (var watch = watch(version, WATCH)) {
            assertThat(watch.code).isEqualTo(200);
        }

        stream.closed.await();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void endsWhenTheServerStops(HttpClient.Version version) throws Exception {
        try (var watch = watch(version, WATCH)) {
            stream.add(WatchStream.Type.ADDED, FakeBackend.pod("a", 1));
            assertThat(watch.next().string("type")).isEqualTo("ADDED");

            server.server.close();

            assertThat(watch.reader.readLine()).isNull();
            stream.closed.await();
        }
    }

    @Test
    void refusesWhatCannotBeStreamed() throws Exception {
        var response = server.get(WATCH, "Accept", "application/yaml");

        assertThat(response.statusCode()).isEqualTo(406);
        assertThat(response.body()).contains("application/json;stream=watch");
    }

    @Test
    void sendsOneEventToManyWatchers() throws Exception {
        List<FakeStream> streams = new ArrayList<>();
        server.fake.api = _ -> {
            var each = new FakeStream();
            synchronized (streams) {
                streams.add(each);
            }
            return new Answer.Watching(FakeBackend.PODS, each, List.of());
        };
        List<Watch> watches = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            watches.add(watch(HttpClient.Version.HTTP_2, WATCH));
        }
        assertThat(server.server.watches()).isEqualTo(200);

        var object = FakeBackend.pod("a", 1);
        streams.forEach(each -> each.add(WatchStream.Type.ADDED, object));

        for (var watch : watches) {
            assertThat(watch.next()).isEqualTo(event("ADDED", object));
            watch.close();
        }
    }

    private Watch watch(HttpClient.Version version, String path, String... headers) throws Exception {
        var request = server.request(path);
        var response = server.client(version)
                .send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofInputStream());
        return new Watch(response.statusCode(), response.headers(), response.body());
    }

    private static Json.Obj event(String type, Json.Obj object) {
        return Json.Obj.of("type", Json.of(type), "object", object);
    }

    private static final class Watch implements AutoCloseable {
        final int code;
        final HttpHeaders headers;
        final BufferedReader reader;
        private final InputStream in;

        Watch(int code, HttpHeaders headers, InputStream in) {
            this.code = code;
            this.headers = headers;
            this.in = in;
            this.reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        Json.Obj next() throws IOException {
            return JsonText.parseObject(reader.readLine());
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}

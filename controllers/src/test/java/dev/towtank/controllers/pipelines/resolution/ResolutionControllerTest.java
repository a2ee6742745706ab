package dev.towtank.controllers.pipelines.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResolutionControllerTest {

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private int requests;

    private Caches caches() {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    private static Resource request(String type, String param) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: resolution.tekton.dev/v1beta1
                kind: ResolutionRequest
                metadata: {name: r, namespace: ns, uid: u, resourceVersion: "1", labels: {resolution.tekton.dev/type: %s}}
                spec: {params: [%s]}
                """.formatted(type, param)));
    }

    private Controller<?, ?> controller(Map<String, Resolver> resolvers) {
        return new ResolutionController(caches(), resolvers, timers, Runnable::run).controller();
    }

    private Json.Obj status(String type, Resolver resolver) {
        var request = request(type, "{name: where, value: here}");
        var plan = controller(Map.of("test", resolver)).decide(request, timers.instant());
        return plan.json().objects().getFirst().object("status");
    }

    @Test
    void writesWhatAResolverFinds() {
        var status = status(
                "test",
                question -> new Resolver.Answer(question.params().toString(), Json.Obj.of("uri", Json.of("u"))));

        assertThat(status.objects("conditions").getFirst().string("reason")).isEqualTo("ResolutionSuccessful");
        assertThat(status.string("data")).isEqualTo("e3doZXJlPWhlcmV9");
        assertThat(status.string("refSource", "uri")).isEqualTo("u");
    }

    private void configure(String name, String data) {
        cluster.create(
                ConfigMaps.KIND,
                Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: tekton-pipelines-resolvers}
                data: %s
                """.formatted(name, data))),
                Cluster.WriteOptions.DEFAULT);
    }

    private static String message(Json.Obj status) {
        return status.objects("conditions").getFirst().string("message");
    }

    @Test
    void leavesAResolverAloneThatIsSwitchedOff() {
        configure("resolvers-feature-flags", "{enable-http-resolver: \"false\"}");
        var off = controller(Map.of("http", _ -> new Resolver.Answer("x", Json.Obj.EMPTY)))
                .decide(request("http", "{}"), timers.instant());

        assertThat(message(off.json().objects().getFirst().object("status")))
                .isEqualTo("invalid resource request \"ns/r\": cannot handle resolution request,"
                        + " enable-http-resolver feature flag not true");
    }

    @Test
    void tellsWhoMadeTheMistake() {
        assertThat(message(status("test", _ -> {
                    throw Resolver.Problem.invalid("no name");
                })))
                .isEqualTo("invalid resource request \"ns/r\": no name");
        var slow = status("test", _ -> {
            throw Resolver.Problem.timedOut();
        });
        assertThat(slow.objects("conditions").getFirst().string("reason")).isEqualTo("ResolutionTimedOut");
        assertThat(message(slow)).isEqualTo("resolution took longer than global timeout of 1m0s");
    }

    /// One that cannot be reached the first times.
    private static Resolver unreachable(AtomicInteger asked, int times, Map<String, String> settings) {
        return new Resolver() {
            @Override
            public Answer resolve(Question question) throws Problem {
                if (asked.incrementAndGet() <= times) {
                    throw Problem.passing("cannot reach example.com: connection refused");
                }
                return new Answer("x", Json.Obj.EMPTY);
            }

            @Override
            public Installed installed() {
                return new Installed("Test", "test-config", settings);
            }
        };
    }

    @Test
    void triesAgainAfterAWhileWhatMayPass() {
        var asked = new AtomicInteger();
        var controller = controller(Map.of("test", unreachable(asked, 1, Map.of("backoff-steps", "2"))));
        var request = request("test", "{}");

        var first = controller.decide(request, timers.instant());
        assertThat(first.changes()).isEmpty();
        assertThat(first.lookAgain()).contains(timers.instant().plusSeconds(2));
        assertThat(controller.decide(request, timers.instant()).changes()).isEmpty();
        assertThat(asked).hasValue(1);

        timers.advance(Duration.ofSeconds(2));
        var second =
                controller.decide(request, timers.instant()).json().objects().getFirst();
        assertThat(second.object("status").string("data")).isEqualTo("eA==");
    }

    @Test
    void givesUpAtOnceWhereNothingIsSaidAboutTries() {
        assertThat(message(status("test", unreachable(new AtomicInteger(), 1, Map.of()))))
                .startsWith("error getting");
    }

    @Test
    void givesUpAfterTheLastTry() {
        configure("test-config", "{backoff-steps: \"3\", backoff-duration: 8s, backoff-cap: 10s}");
        var asked = new AtomicInteger();
        var controller = controller(Map.of("test", unreachable(asked, 9, Map.of("backoff-steps", "2"))));
        var request = request("test", "{}");
        for (var pause : new int[] {8, 10}) {
            assertThat(controller.decide(request, timers.instant()).lookAgain())
                    .contains(timers.instant().plusSeconds(pause));
            timers.advance(Duration.ofSeconds(pause));
        }
        var failed =
                controller.decide(request, timers.instant()).json().objects().getFirst();
        assertThat(message(failed.object("status")))
                .isEqualTo("error getting \"Test\" \"ns/r\": cannot reach example.com: connection refused");
        assertThat(asked).hasValue(3);
    }

    @Test
    void tellsOfTheLastTryAtOnceWhenItWasReadBesides() {
        var reading = new ArrayList<Runnable>();
        var resolver = unreachable(new AtomicInteger(), 9, Map.of("backoff-steps", "2"));
        var controller =
                new ResolutionController(caches(), Map.of("test", resolver), timers, reading::add).controller();
        var request = request("test", "{}");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThat(controller.decide(request, timers.instant()).changes()).isEmpty();
            reading.removeLast().run();
            var pause = controller.decide(request, timers.instant()).lookAgain();
            assertThat(pause.isPresent()).isEqualTo(attempt == 0);
            timers.advance(Duration.ofSeconds(2));
        }
        var failed =
                controller.decide(request, timers.instant()).json().objects().getFirst();
        assertThat(message(failed.object("status"))).endsWith("cannot reach example.com: connection refused");
    }

    /// The same request by somebody else.
    private Resource another(Resource request) {
        return new Resource(
                request.cluster(), request.json().with(List.of("metadata", "uid"), Json.of("u" + ++requests)));
    }

    private Plan cached(Controller<?, ?> controller, String mode) {
        return controller.decide(another(request("test", "{name: cache, value: " + mode + "}")), timers.instant());
    }

    @Test
    void keepsAnAnswerForAWhileWhereItIsAsked() {
        var asked = new AtomicInteger();
        var controller =
                controller(Map.of("test", _ -> new Resolver.Answer("x" + asked.incrementAndGet(), Json.Obj.EMPTY)));
        cached(controller, "always");
        var second = cached(controller, "always").json().objects().getFirst().object("status");
        assertThat(asked).hasValue(1);
        assertThat(second.stringMap("annotations"))
                .containsEntry("resolution.tekton.dev/cached", "true")
                .containsEntry("resolution.tekton.dev/cache-operation", "retrieve")
                .containsEntry("resolution.tekton.dev/cache-resolver-type", "test");
        cached(controller, "never");
        assertThat(asked).hasValue(2);
        timers.advance(Duration.ofMinutes(6));
        cached(controller, "always");
        assertThat(asked).hasValue(3);
        var bad = cached(controller, "maybe");
        assertThat(message(bad.json().objects().getFirst().object("status")))
                .contains("invalid cache mode 'maybe', must be one of: [always never auto] (or empty for default)");
    }

    @Test
    void writesWhyNothingIsFound() {
        var status = status("test", _ -> {
            throw new Resolver.Problem("nothing there");
        });

        assertThat(status.objects("conditions").getFirst().string("reason")).isEqualTo("ResolutionFailed");
        assertThat(status.objects("conditions").getFirst().string("message"))
                .isEqualTo("error getting \"Test\" \"ns/r\": nothing there");
    }

    @Test
    void refusesATypeThatIsNotThere() {
        var status = status("bundles", _ -> {
            throw new IllegalStateException();
        });

        assertThat(status.objects("conditions").getFirst().string("message"))
                .isEqualTo(
                        "error getting \"Bundles\" \"ns/r\": there is no resolver \"bundles\" here; there are: test");
        assertThat(PipelineKinds.RESOLUTION_REQUEST.hasStatus()).isTrue();
    }
}

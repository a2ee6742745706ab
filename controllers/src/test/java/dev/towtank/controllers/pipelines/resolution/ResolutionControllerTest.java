package dev.towtank.controllers.pipelines.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResolutionControllerTest {

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);

    private Caches caches() {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    private Json.Obj status(String type, Resolver resolver) {
        var request = Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: resolution.tekton.dev/v1beta1
                kind: ResolutionRequest
                metadata: {name: r, namespace: ns, uid: u, resourceVersion: "1", labels: {resolution.tekton.dev/type: %s}}
                spec: {params: [{name: where, value: here}]}
                """.formatted(type)));
        var plan = ResolutionController.of(caches(), Map.of("test", resolver)).decide(request, timers.instant());
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

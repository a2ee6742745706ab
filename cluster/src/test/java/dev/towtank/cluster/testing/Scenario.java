package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/// One decision of a controller as a YAML file that a user could have written:
///
/// ```yaml
/// given:                      # the objects of the world; uid is <name>-uid unless given
/// - apiVersion: v1
///   kind: Namespace
///   metadata: {name: team-a}
/// outside:                    # what is no object says this, see [Answers]; may be left out
///   darkness:
///   - {ask: nightville, answer: true}
/// now: 2026-01-01T00:00:00Z   # may be left out
/// when: Namespace team-a      # the object that is looked at: kind and [namespace/]name
/// plan:                       # what is decided; [] for nothing
/// - create: {...}
/// ```
///
/// Besides the plan, what must hold for every decision is checked: it is pure, and carried out again and again it
/// settles.
public record Scenario(String name, List<Json.Obj> given, Answers outside, Instant now, String when, Json.Arr plan) {

    private static final String NEW_YEAR = "2026-01-01T00:00:00Z";
    private static final int MOST_ROUNDS = 20;

    public Scenario {
        given = List.copyOf(given);
    }

    /// The scenarios in `scenarios/<folder>/*.yaml` among the resources of the tests.
    public static List<Scenario> in(String folder) {
        var place = Scenario.class.getResource("/scenarios/" + folder);
        try (var files = Files.list(Path.of(
                Objects.requireNonNull(place, () -> "no scenarios in " + folder).toURI()))) {
            var found = files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(Scenario::read)
                    .toList();
            assertThat(found).as("scenarios in " + folder).isNotEmpty();
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Scenario read(Path file) {
        try {
            var name = String.valueOf(file.getFileName()).replace(".yaml", "");
            return parse(name, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Scenario parse(String name, String yaml) {
        var json = (Json.Obj) YamlText.parse(yaml);
        assertThat(json.keys())
                .as("the parts of scenario " + name)
                .isSubsetOf("given", "outside", "now", "when", "plan");
        assertThat(json.keys()).as("the parts of scenario " + name).contains("given", "when", "plan");
        var now = json.string("now");
        return new Scenario(
                name,
                json.objects("given"),
                new Answers(json.object("outside")),
                Instant.parse(now.isEmpty() ? NEW_YEAR : now),
                json.string("when"),
                json.array("plan"));
    }

    /// A controller in the world of a scenario.
    @FunctionalInterface
    public interface Cast {
        Controller<?, ?> of(Caches caches, Answers outside, Timers timers);
    }

    /// For one that asks nobody outside.
    ///
    /// @param kinds all that the objects are of
    public void check(Function<Caches, Controller<?, ?>> controller, List<Kind<?>> kinds) {
        check((caches, _, _) -> controller.apply(caches), kinds);
    }

    /// Deeds are done by whoever the controller names.
    public void check(Cast cast, List<Kind<?>> kinds) {
        var cluster = new FakeCluster(() -> now);
        given.forEach(json -> cluster.given(kindOf(json, kinds), Resource.of(identified(json))));

        var decider = controller(cast, cluster);
        var primary = primary(cluster, decider.kind());
        var decided = decider.decide(primary, now);

        if (!decided.json().equals(plan)) {
            // As text, because the difference is easier to see there.
            assertThat(YamlText.write(decided.json())).as(name).isEqualTo(YamlText.write(plan));
        }
        assertThat(decider.decide(primary, now)).as("the same decision again").isEqualTo(decided);
        checkSettles(cluster, cast);
    }

    private Controller<?, ?> controller(Cast cast, FakeCluster cluster) {
        return cast.of(caches(cluster), outside, new FakeTimers(now));
    }

    private void checkSettles(FakeCluster cluster, Cast cast) {
        var events = new EventRecorder(cluster, () -> now, "scenario");
        var history = new ArrayList<String>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            var decider = controller(cast, cluster);
            var primary = cluster.get(decider.kind(), objectName());
            if (primary.isEmpty()) {
                return;
            }
            var next = decider.decide(primary.get(), now);
            if (next.changes().isEmpty()) {
                return;
            }
            history.add(next.toString());
            new PlanExecutor(cluster, events, "scenario", decider.doers()).execute(next);
        }
        throw new AssertionError(name + " does not settle; the plans were\n" + String.join("\n---\n", history));
    }

    private Resource primary(FakeCluster cluster, Kind<?> kind) {
        assertThat(when).as("when").startsWith(kind.kind() + " ");
        return cluster.get(kind, objectName()).orElseThrow(() -> new AssertionError("not given: " + when));
    }

    private ObjectName objectName() {
        var path = when.substring(when.indexOf(' ') + 1);
        int slash = path.indexOf('/');
        return slash < 0 ? ObjectName.of("", path) : ObjectName.of(path.substring(0, slash), path.substring(slash + 1));
    }

    private static Kind<?> kindOf(Json.Obj json, List<Kind<?>> kinds) {
        return kinds.stream()
                .filter(kind -> kind.apiVersion().equals(json.string("apiVersion"))
                        && kind.kind().equals(json.string("kind")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("a kind that the test does not know: " + json));
    }

    private static Json.Obj identified(Json.Obj json) {
        var metadata = json.object("metadata");
        return metadata.has("uid")
                ? json
                : json.with("metadata", metadata.with("uid", Json.of(metadata.string("name") + "-uid")));
    }

    private static Caches caches(FakeCluster cluster) {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}

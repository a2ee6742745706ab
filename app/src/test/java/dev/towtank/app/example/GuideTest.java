package dev.towtank.app.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.testing.Scenario;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The example is whole, and the guide shows what is tried.
class GuideTest {

    private static final Path GUIDE = Path.of("../docs/adding-a-feature.md");
    private static final Path CODE = Path.of("src/test/java/dev/towtank/app/example");
    private static final Path SCENARIOS = Path.of("src/test/resources/scenarios");
    private static final Pattern PART = Pattern.compile("```(?:java|yaml) (\\S+)\n(.*?)```", Pattern.DOTALL);

    /// A file for pods goes with a line in the map of images, and what is about one server is no example for others.
    private static final Set<String> NOT_SHOWN = Set.of("programs", "isEverywhere");

    /// Of a place: who it is for, and what records have.
    private static final Set<String> NO_PARTS = Set.of("feature", "ground", "equals", "hashCode", "toString");

    private static final Kind<Json.Obj> MOTHS = Kind.namespaced("insects.example.com", "v1", "Moth", "moths");

    @TempDir
    Path directory;

    static List<Scenario> scenarios() {
        return Scenario.in("lanterns");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void decidesByWhatIsSaidOutside(Scenario scenario) {
        scenario.check(
                (caches, outside, timers) -> LanternFeature.controller(
                        outside.outside("darkness", timers, Json::of, dark -> ((Json.Bool) dark).value()),
                        new Insects(following(caches)),
                        new Ledger(directory)),
                List.of(LanternReconciler.LANTERNS, ConfigMaps.KIND, MOTHS));
    }

    private static KindFollower following(Caches caches) {
        return (kind, _) -> new KindFollower.Following() {
            @Override
            public Cache cache() {
                return caches.of(kind);
            }

            @Override
            public void awaitSynced() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void theGuideShowsWhatIsTriedHere() throws IOException {
        var parts = PART.matcher(Files.readString(GUIDE)).results().toList();
        assertThat(parts)
                .extracting(part -> part.group(1))
                .contains(
                        "LanternFeature.java",
                        "LanternReconciler.java",
                        "Insects.java",
                        "Flame.java",
                        "lanterns/lights-one-where-it-is-dark.yaml");
        for (var part : parts) {
            assertThat(shown(part)).contains(part.group(2).strip());
        }
    }

    private static String shown(MatchResult part) throws IOException {
        var folder = part.group(1).endsWith(".java") ? CODE : SCENARIOS;
        return Files.readString(folder.resolve(part.group(1)));
    }

    @Test
    void theExampleUsesEveryPartOfThePlug() throws IOException {
        var feature = Files.readString(CODE.resolve("LanternFeature.java"));

        for (var part : names(Feature.class)) {
            assertThat(names(LanternFeature.class).contains(part)).as(part).isNotEqualTo(NOT_SHOWN.contains(part));
        }
        for (var adds : Running.class.getDeclaredMethods()) {
            if (adds.getReturnType().equals(Running.class)) {
                assertThat(feature).containsPattern("[.]" + adds.getName() + "[(]");
            }
        }
        for (var part : names(Place.class)) {
            if (!NO_PARTS.contains(part)) {
                assertThat(feature).contains("place." + part + "()");
            }
        }
    }

    private static Set<String> names(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toSet());
    }
}

package dev.towtank.model.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OwnershipPropertiesTest {

    static List<Long> seeds() {
        var seeds = new ArrayList<Long>();
        for (long seed = 0; seed < 150; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private static Json.Obj configuration(Random random) {
        var spec = Json.Obj.builder();
        if (random.nextBoolean()) {
            spec.put("size", random.nextInt(3));
        }
        if (random.nextBoolean()) {
            spec.put("nested", some(random, "a", "b"));
        }
        if (random.nextBoolean()) {
            spec.put("labels", some(random, "k", "l", "m"));
        }
        if (random.nextBoolean()) {
            spec.put("whole", some(random, "k", "l"));
        }
        if (random.nextBoolean()) {
            spec.put("tags", Json.Arr.ofStrings(some(random, "x", "y", "z").keys()));
        }
        if (random.nextBoolean()) {
            var items = new ArrayList<Json>();
            for (var port : some(random, "1", "2", "3").keys()) {
                items.add(some(random, "value").with("port", Json.of(Long.parseLong(port))));
            }
            spec.put("items", new Json.Arr(items));
        }
        return Json.Obj.of("metadata", Json.Obj.of("name", Json.of("x")), "spec", spec.build());
    }

    private static Json.Obj some(Random random, String... keys) {
        var fields = Json.Obj.builder();
        for (var key : keys) {
            if (random.nextInt(3) > 0) {
                fields.put(key, "v" + random.nextInt(2));
            }
        }
        return fields.build();
    }

    private static boolean tryApply(Scene scene, String name, Json.Obj configuration) {
        try {
            scene.apply(name, configuration, false);
            return true;
        } catch (StatusError e) {
            assertThat(e.code()).isEqualTo(409);
            return false;
        }
    }

    private static Scene busy(Random random) {
        var scene = Scene.small();
        for (int i = 0; i < 6; i++) {
            var name = "abc".substring(random.nextInt(3)).substring(0, 1);
            var configuration = configuration(random);
            if (random.nextInt(3) == 0) {
                scene.update("u" + name, OwnedTrees.merge(scene.live, configuration, scene.shape));
            } else {
                scene.apply(name, configuration, random.nextBoolean() || !tryApply(scene, name, configuration));
            }
        }
        return scene;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void applyingTwiceIsApplyingOnce(long seed) {
        var random = new Random(seed);
        var scene = busy(random);
        var configuration = configuration(random);
        var once = scene.apply("d", configuration, true).live;
        assertThat(scene.apply("d", configuration, false).live).isEqualTo(once);
        assertThat(Owners.read(once.array("metadata", "managedFields")).json())
                .isEqualTo(once.array("metadata", "managedFields"));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void orderMattersOnlyToConflicts(long seed) {
        var random = new Random(seed);
        var first = configuration(random);
        var second = configuration(random);
        var oneWay = Scene.small().apply("a", first, false);
        var otherWay = Scene.small().apply("b", second, false);
        boolean agrees = tryApply(oneWay, "b", second);
        assertThat(tryApply(otherWay, "a", first)).isEqualTo(agrees);
        if (agrees) {
            assertThat(OwnedTrees.fields(oneWay.object(), Scene.SMALL))
                    .isEqualTo(OwnedTrees.fields(otherWay.object(), Scene.SMALL));
            assertThat(oneWay.fields("a")).isEqualTo(otherWay.fields("a"));
            assertThat(oneWay.fields("b")).isEqualTo(otherWay.fields("b"));
        } else {
            assertThat(oneWay.object()).isEqualTo(first);
            assertThat(otherWay.object()).isEqualTo(second);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingStaysThatNobodyOwns(long seed) {
        var random = new Random(seed);
        var scene = Scene.small();
        for (int i = 0; i < 6; i++) {
            scene.apply(i % 2 == 0 ? "a" : "b", configuration(random), true);
        }
        var nothing = Scene.yaml("metadata: {name: x}");
        scene.apply("a", nothing, false).apply("b", nothing, false);
        assertThat(OwnedTrees.fields(scene.object(), Scene.SMALL).paths())
                .allMatch(path -> path.equals(".metadata.name") || path.equals(".spec"));
        assertThat(scene.live.array("metadata", "managedFields").size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatTheShapeDoesNotKnowSurvives(long seed) {
        var random = new Random(seed);
        var scene = Scene.small();
        scene.live = Scene.yaml("{spec: {unknown: {x: [1, {y: 2}]}}, other: [1, 2]}");
        for (int i = 0; i < 6; i++) {
            scene.apply(i % 2 == 0 ? "a" : "b", configuration(random), true);
        }
        assertThat(scene.live.at("spec", "unknown")).isEqualTo(Scene.yaml("x: [1, {y: 2}]"));
        assertThat(scene.live.array("other").size()).isEqualTo(2);
    }
}

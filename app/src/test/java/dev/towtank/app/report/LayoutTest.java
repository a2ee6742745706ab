package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {

    private static Map<String, List<String>> random(int seed) {
        var random = new Random(seed);
        var graph = new LinkedHashMap<String, List<String>>();
        int size = 1 + random.nextInt(40);
        for (int i = 0; i < size; i++) {
            graph.put(
                    "t" + i,
                    random.ints(random.nextInt(4), 0, Math.max(1, i))
                            .filter(_ -> !graph.isEmpty())
                            .mapToObj(each -> "t" + each)
                            .distinct()
                            .toList());
        }
        return graph;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nothingOverlapsAndEveryEdgePointsToTheRight(int seed) {
        var graph = random(seed);

        var drawing = Layout.of(graph);

        assertThat(drawing.places()).containsOnlyKeys(graph.keySet());
        var places = List.copyOf(drawing.places().values());
        for (int i = 0; i < places.size(); i++) {
            var one = places.get(i);
            assertThat(one.x()).isBetween(0, drawing.width() - Layout.WIDTH);
            assertThat(one.y()).isBetween(0, drawing.height() - Layout.HEIGHT);
            for (var other : places.subList(i + 1, places.size())) {
                assertThat(Math.abs(one.x() - other.x()) >= Layout.WIDTH
                                || Math.abs(one.y() - other.y()) >= Layout.HEIGHT)
                        .as("%s and %s", one, other)
                        .isTrue();
            }
        }
        assertThat(drawing.edges())
                .hasSize(graph.values().stream().mapToInt(List::size).sum());
        assertThat(drawing.edges())
                .allSatisfy(edge -> assertThat(edge.points())
                        .isSortedAccordingTo((one, other) -> Integer.compare(one.x(), other.x())));
    }

    @Test
    void aChainIsAStraightLine() {
        var drawing = Layout.of(Map.of("a", List.of(), "b", List.of("a"), "c", List.of("b")));

        assertThat(drawing.places().values()).extracting(Layout.Place::y).containsOnly(12);
    }

    @Test
    void aDiamondIsEven() {
        var places = Layout.of(Map.of("a", List.of(), "b", List.of("a"), "c", List.of("a"), "d", List.of("b", "c")))
                .places();

        assertThat(places.get("a").y()).isEqualTo(places.get("d").y());
        assertThat(places.get("b").y() + places.get("c").y())
                .isEqualTo(2 * places.get("a").y());
    }

    @Test
    void evenACycleIsDrawn() {
        var drawing = Layout.of(Map.of("a", List.of("b"), "b", List.of("a"), "c", List.of("c")));

        assertThat(drawing.places()).containsOnlyKeys("a", "b", "c");
    }

    @Test
    void nothingIsAnEmptyPicture() {
        assertThat(Layout.of(Map.of()).places()).isEmpty();
    }

    @Test
    void anEdgeThatALongerWayImpliesIsLeftOut() {
        var graph = new LinkedHashMap<String, List<String>>();
        graph.put("a", List.of());
        graph.put("b", List.of("a"));
        graph.put("c", List.of("a", "b"));

        assertThat(GraphPicture.reduced(graph).get("c")).containsExactly("b");
    }
}

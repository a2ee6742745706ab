package dev.towtank.cluster;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.THINGS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.testing.Scenario;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioTest {

    private static final List<Kind<?>> KINDS = List.of(THINGS, MAPS);

    static List<Scenario> things() {
        return Scenario.in("things");
    }

    @ParameterizedTest
    @MethodSource
    void things(Scenario scenario) {
        scenario.check(ThingReconciler::controller, KINDS);
    }

    private static final String BARE = """
            given:
            - apiVersion: example.com/v1
              kind: Thing
              metadata: {name: a, namespace: "n"}
            when: Thing n/a
            plan: %s
            """;

    @Test
    void failsWhenThePlanIsAnother() {
        assertThatThrownBy(() -> Scenario.parse("x", BARE.formatted("[]")).check(ThingReconciler::controller, KINDS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("finalizers");
    }

    @Test
    void failsWhenItDoesNotSettle() {
        var scenario = Scenario.parse("x", BARE.formatted("[{setStatus: Thing n/a, status: {count: 1}}]"));

        assertThatThrownBy(() -> scenario.check(
                        _ -> Controller.of(
                                "count",
                                THINGS,
                                _ -> "",
                                (thing, _, _) -> Plan.none()
                                        .setStatus(
                                                THINGS,
                                                thing.object(),
                                                Json.Obj.of(
                                                        "count",
                                                        Json.of(thing.status().integer("count") + 1)))),
                        KINDS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("x does not settle");
    }
}

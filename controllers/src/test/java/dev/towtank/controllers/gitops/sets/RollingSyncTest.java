package dev.towtank.controllers.gitops.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RollingSyncTest {

    private static final Json.Obj STRATEGY = object("""
            type: RollingSync
            rollingSync:
              steps:
              - matchExpressions: [{key: stage, operator: In, values: [test]}]
              - matchExpressions: [{key: stage, operator: In, values: [production]}]
                maxUpdate: 50%
            """);

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Resource application(String name, String stage, String status) {
        return Resource.of(object("""
                metadata: {name: %s, labels: {stage: %s}}
                spec: {source: {repoURL: x}}
                status: %s
                """.formatted(name, stage, status)));
    }

    private static final String OUT =
            "{sync: {status: OutOfSync, revision: b, comparedTo: {source: {repoURL: x}}}, health: {status: Healthy}}";
    private static final String DONE =
            "{sync: {status: Synced, revision: b, comparedTo: {source: {repoURL: x}}}, health: {status: Healthy}}";
    private static final String RUNS =
            "{sync: {status: OutOfSync, revision: b, comparedTo: {source: {repoURL: x}}}, operationState: {phase: Running}}";
    private static final String FAILED = "{sync: {status: OutOfSync, revision: b, comparedTo: {source: {repoURL: x}}},"
            + " operationState: {phase: Failed, message: no, syncResult: {revision: b, source: {repoURL: x}}}}";

    private static List<String> begun(Resource... applications) {
        return new RollingSync(STRATEGY, List.of(applications))
                .decide(List.of(), Instant.EPOCH).begins().stream()
                        .map(Resource::name)
                        .toList();
    }

    @Test
    void aStepWaitsForAllBeforeIt() {
        assertThat(begun(application("a", "test", OUT), application("p", "production", OUT)))
                .containsExactly("a");
        assertThat(begun(application("a", "test", RUNS), application("p", "production", OUT)))
                .isEmpty();
        assertThat(begun(application("a", "test", FAILED), application("p", "production", OUT)))
                .isEmpty();
        assertThat(begun(application("a", "test", DONE), application("p", "production", OUT)))
                .containsExactly("p");
    }

    @Test
    void onlySoManyChangeAtATime() {
        assertThat(begun(
                        application("p1", "production", OUT),
                        application("p2", "production", OUT),
                        application("p3", "production", OUT),
                        application("p4", "production", OUT)))
                .containsExactly("p1", "p2");
        assertThat(begun(
                        application("p1", "production", DONE),
                        application("p2", "production", RUNS),
                        application("p3", "production", OUT),
                        application("p4", "production", OUT)))
                .containsExactly("p3");
    }

    @Test
    void whoIsInNoStepIsLeftAloneAndTold() {
        var decision =
                new RollingSync(STRATEGY, List.of(application("x", "elsewhere", OUT))).decide(List.of(), Instant.EPOCH);
        assertThat(decision.begins()).isEmpty();
        assertThat(decision.statuses().objects().getFirst().string("message")).contains("in no step");
    }

    @Test
    void statusesAreThoseOfArgo() {
        var decision = new RollingSync(
                        STRATEGY,
                        Stream.of(application("a", "test", RUNS), application("p", "production", OUT))
                                .toList())
                .decide(List.of(), Instant.EPOCH);
        assertThat(decision.statuses().objects())
                .extracting(
                        each -> each.string("application") + " " + each.string("status") + " " + each.string("step"))
                .containsExactly("a Progressing 1", "p Waiting 2");
    }

    @Test
    void automationIsTakenAway() {
        var wanted = object("{spec: {syncPolicy: {automated: {prune: true}, syncOptions: [CreateNamespace=true]}}}");
        assertThat(RollingSync.withoutAutomation(wanted)
                        .object("spec", "syncPolicy")
                        .keys())
                .containsExactly("syncOptions");
    }

    @Test
    void whatIsNotServedIsNamed() {
        assertThatThrownBy(() -> RollingSync.check(object("{type: Magic}")))
                .hasMessageContaining("Magic is not served");
        assertThatThrownBy(() -> RollingSync.check(object("{type: RollingSync, deletionOrder: Reverse}")))
                .hasMessageContaining("deletionOrder");
        assertThatThrownBy(
                        () -> RollingSync.check(
                                object(
                                        "{type: RollingSync, rollingSync: {steps: [{matchExpressions: [{key: a, operator: Exists}]}]}}")))
                .hasMessageContaining("Exists");
        assertThatThrownBy(() ->
                        RollingSync.check(object("{type: RollingSync, rollingSync: {steps: [{maxUpdate: many}]}}")))
                .hasMessageContaining("maxUpdate is many");
    }
}

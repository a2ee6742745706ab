package dev.towtank.controllers.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static final Revision NEW = new Revision(object("""
            {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: new, namespace: team}, revision: 2, data: {}}
            """));

    private static RevisionState state(String ready) {
        var pod = new Worker(object("""
                apiVersion: v1
                kind: Pod
                metadata: {name: new-0, namespace: team, labels: {serving.knative.dev/revision: new}}
                status: {podIP: 10.0.0.1, hostIP: 10.0.0.1, conditions: [{type: Ready, status: '%s'}]}
                """.formatted(ready)));
        return RevisionState.of(NEW, List.of(pod), 1);
    }

    private static Trial look(
            String steps, Json.Obj rollout, Routes.Tally tally, Optional<String> tested, Instant now) {
        var service = object("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: a, namespace: team, annotations: {towtank.dev/rollout: '%s'}}
                spec: {predictor: {model: {modelFormat: {name: sklearn}}}}
                status: {rollout: %s}
                """.formatted(steps, JsonText.write(rollout)));
        var facts = new ServiceFacts(
                new Runtimes(List.of(), List.of()),
                new Credentials(List.of(), List.of()),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of("new", tally),
                tested,
                true,
                Optional.empty());
        return Trial.of(service, facts, state("True"), true, now);
    }

    private static Trial look(String steps, Json.Obj rollout, long requests, long failures, int seconds) {
        return look(steps, rollout, new Routes.Tally(requests, failures), Optional.empty(), BEGIN.plusSeconds(seconds));
    }

    private static final String STEPS = "{steps: [10, 50, 100], every: 60s, maxErrorRate: 0.1, minRequests: 5}";

    @Test
    void stepsFollowOneAnotherWhileThereAreFewErrors() {
        var first = look(STEPS, Json.Obj.EMPTY, 0, 0, 0);
        assertThat(first.percent()).hasValue(10L);
        assertThat(first.lookAgain()).hasValue(BEGIN.plusSeconds(1));

        assertThat(look(STEPS, first.status(), 50, 4, 59).percent()).hasValue(10L);
        var second = look(STEPS, first.status(), 50, 4, 60);
        assertThat(second.percent()).hasValue(50L);

        // Errors of the step before are not counted again.
        var third = look(STEPS, second.status(), 100, 8, 120);
        assertThat(third.percent()).hasValue(100L);
        assertThat(third.isOn()).isTrue();
        assertThat(look(STEPS, third.status(), 300, 9, 180)).isEqualTo(Trial.NONE);
    }

    @Test
    void aStepWaitsForItsRequests() {
        var first = look(STEPS, Json.Obj.EMPTY, 0, 0, 0);

        assertThat(look(STEPS, first.status(), 4, 0, 3600).percent()).hasValue(10L);
        assertThat(look(STEPS, first.status(), 5, 0, 3600).percent()).hasValue(50L);
    }

    @Test
    void tooManyErrorsEndItAtOnceAndForGood() {
        var first = look(STEPS, Json.Obj.EMPTY, 7, 0, 0);

        assertThat(look(STEPS, first.status(), 16, 9, 1).failure()).isEmpty(); // nine answers say little
        var failed = look(STEPS, first.status(), 17, 2, 1);
        assertThat(failed.failure())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("Revision new failed 2 of 10 requests with 10 % of them"));
        assertThat(failed.percent()).hasValue(0L);

        var later = look(STEPS, failed.status(), 1000, 2, 600);
        assertThat(later.failure()).isEqualTo(failed.failure());
        assertThat(later.percent()).hasValue(0L);
    }

    @Test
    void aServerThatStartedAnewCountsFromNothing() {
        var first = look(STEPS, Json.Obj.EMPTY, 1000, 500, 0);

        assertThat(look(STEPS, first.status(), 20, 10, 1).failure()).isPresent();
        assertThat(look(STEPS, first.status(), 20, 0, 60).percent()).hasValue(50L);
    }

    @Test
    void aTestComesBeforeTheNextStep() {
        var steps = "{steps: [50], every: 1s, test: {instances: [[1]], predictions: [2]}}";
        var first = look(steps, Json.Obj.EMPTY, 0, 0, 0);
        var asked = look(steps, first.status(), 0, 0, 1);
        assertThat(asked.needsTest()).isTrue();
        assertThat(asked.percent()).hasValue(50L);

        var now = BEGIN.plusSeconds(1);
        assertThat(look(steps, first.status(), Routes.Tally.NONE, Optional.of(""), now))
                .isEqualTo(Trial.NONE);
        assertThat(look(steps, first.status(), Routes.Tally.NONE, Optional.of("it answers [3] in place of [2]"), now)
                        .failure())
                .hasValueSatisfying(why -> assertThat(why).contains("failed its test: it answers [3] in place of [2]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [2, 3]     |
            [2.0, 3]   |
            [2]        | it answers 2 rows with [2]
            [2, null]  | where numbers are missing
            [2, 4]     | it answers [2,4] in place of [2,3]
            '"404"'    | 404
            """)
    void answersAreCompared(String result, String problem) {
        var test = new Steps.Test(
                (Json.Arr) JsonText.parse("[[1],[2]]"), Optional.of((Json.Arr) JsonText.parse("[2,3]")), 1e-6);

        assertThat(Answers.problem(test, JsonText.parse(result)).orElse("")).contains(problem == null ? "" : problem);
        assertThat(Answers.problem(test, JsonText.parse(result)).isPresent()).isEqualTo(problem != null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {steps: [10, 10]}                   | each larger than the one before
            {steps: []}                         | steps are 1 to 20 whole numbers
            {steps: [0]}                        | from 1 to 100
            {steps: [50], every: soon}          | every is a time such as 30s
            {steps: [50], maxErrorRate: 5}      | maxErrorRate is a number from 0 to 1
            {steps: [50], minRequests: -1}      | minRequests is a whole number
            {steps: [50], pause: 1m}            | there is no field pause
            {steps: [50], test: {}}             | test has instances
            {steps: [50], test: {instances: [[1]], predictions: []}} | not as many predictions
            10,50                               | it is a map such as
            {                                   | is no YAML
            """)
    void whatIsWrongIsSaid(String steps, String why) {
        assertThat(Steps.problem(steps).orElse("accepted"))
                .startsWith("towtank.dev/rollout")
                .contains(why);
    }
}

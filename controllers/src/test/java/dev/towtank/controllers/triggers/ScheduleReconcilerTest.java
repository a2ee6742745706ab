package dev.towtank.controllers.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.Schedule;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Triggers that start by the clock.
class ScheduleReconcilerTest {

    private static Resource trigger(String schedule, String last) {
        var object = (Json.Obj) YamlText.parse("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: Trigger
                metadata:
                  name: weekly
                  namespace: n
                  uid: u
                  resourceVersion: "1"
                  creationTimestamp: "2026-03-01T00:00:00Z"
                spec: {template: {ref: t}}
                """);
        object = object.with(java.util.List.of("metadata", "annotations", Schedule.ANNOTATION), Json.of(schedule));
        return Resource.of(
                last.isEmpty() ? object : object.with(java.util.List.of("status", "lastScheduleTime"), Json.of(last)));
    }

    private static Plan plan(String schedule, String last, String now) {
        var trigger = trigger(schedule, last);
        return new ScheduleReconciler()
                .reconcile(Observed.of(TriggersKinds.TRIGGER, trigger), true, Instant.parse(now));
    }

    private static Optional<Instant> started(Plan plan) {
        return plan.changes().stream()
                .filter(Change.ActOnce.class::isInstance)
                .map(change -> ((ScheduleReconciler.Start) ((Change.ActOnce) change).deed()).due())
                .findFirst();
    }

    // The first of March 2026 is a Sunday.
    @ParameterizedTest
    @CsvSource(textBlock = """
            0 2 * * 0,                  '',                   2026-03-01T01:59:59Z, '',                   2026-03-01T02:00:00Z
            0 2 * * 0,                  '',                   2026-03-01T02:00:00Z, 2026-03-01T02:00:00Z, ''
            0 2 * * 0,                  2026-03-01T02:00:00Z, 2026-03-01T02:00:01Z, '',                   2026-03-08T02:00:00Z
            TZ=Europe/Berlin 0 2 * * 0, '',                   2026-03-01T01:00:00Z, 2026-03-01T01:00:00Z, ''
            TZ=Europe/Berlin 0 2 * * 1, 2026-03-23T01:00:00Z, 2026-03-30T00:00:00Z, 2026-03-30T00:00:00Z, ''
            0 2 * * 0,                  2026-03-01T02:00:00Z, 2026-06-01T00:00:00Z, 2026-05-31T02:00:00Z, ''
            * * * * *,                  2026-03-01T02:00:00Z, 2027-03-01T02:00:30Z, 2027-03-01T02:00:00Z, ''
            0 2 * * 0,                  2030-01-01T00:00:00Z, 2026-03-02T00:00:00Z, '',                   2026-03-08T02:00:00Z
            """)
    void itStartsOnTimeAndOnceAfterAPause(String schedule, String last, String now, String started, String next) {
        var plan = plan(schedule, last, now);

        assertThat(started(plan).map(Instant::toString).orElse("")).isEqualTo(started);
        assertThat(plan.lookAgain().map(Instant::toString).orElse("")).isEqualTo(next);
    }

    @Test
    void whatCameOfItIsInTheStatusEvenIfNobodyKnows() {
        var plan = plan("0 2 * * 0", "", "2026-03-01T02:00:00Z");
        var act = (Change.ActOnce) plan.changes().getFirst();

        assertThat(act.sequel()
                        .after(Json.Obj.of("accepted", Json.Bool.TRUE))
                        .json()
                        .toString())
                .contains("\"lastScheduleTime\":\"2026-03-01T02:00:00Z\"", "\"accepted\":true");
        assertThat(act.sequel().after(Json.Null.NULL).json().toString())
                .contains("\"lastScheduleTime\":\"2026-03-01T02:00:00Z\"", "it is not known what was created");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 2 * *                  | expected exactly 5 fields, found 4: [0 2 * *]
            TZ=Nowhere/At 0 2 * * 0  | unknown time zone
            """)
    void aScheduleThatIsNoneIsTold(String schedule, String problem) {
        assertThat(Schedule.problem(schedule)).contains(problem);
        assertThat(plan(schedule, "", "2026-03-01T02:00:00Z").json().toString()).contains(problem);
    }

    @Test
    void withoutAScheduleNothingHappens() {
        assertThat(plan("", "", "2026-03-01T02:00:00Z")).isEqualTo(Plan.none());
    }
}

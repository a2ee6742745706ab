package dev.towtank.model.kinds.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.kinds.KindTrial;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronJobsTest {

    private static final KindTrial TRIAL = new KindTrial(CronJobs.KIND);

    private static final String NIGHTLY = """
            metadata: {name: nightly, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              schedule: "0 2 * * *"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: OnFailure
                      containers: [{name: clean, image: "busybox:1"}]
            """;

    @Test
    void fillsInWhatUsersLeaveOut() {
        var spec = TRIAL.stored(NIGHTLY).object("spec");

        assertThat(spec.without("jobTemplate")).isEqualTo(KindTrial.yaml("""
                schedule: "0 2 * * *"
                concurrencyPolicy: Allow
                suspend: false
                successfulJobsHistoryLimit: 3
                failedJobsHistoryLimit: 1
                """));
        assertThat(spec.object("jobTemplate", "spec").keys()).containsExactly("template");
        assertThat(spec.string("jobTemplate", "spec", "template", "spec", "dnsPolicy"))
                .isEqualTo("ClusterFirst");
        assertThat(TRIAL.errors(NIGHTLY)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            concurrencyPolicy: Maybe | spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"
            startingDeadlineSeconds: -1 | spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0
            timeZone: "" | spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string
            timeZone: Mars/Olympus | spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus
            timeZone: ../etc | spec.timeZone: Invalid value: "../etc": unknown time zone ../etc
            timeZone: local | spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones
            successfulJobsHistoryLimit: -1 | spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0
            """)
    void refusesWhatCannotBe(String field, String message) {
        assertThat(TRIAL.errors(NIGHTLY + "  " + field + "\n")).containsExactly(message);
    }

    @Test
    void letsTheServerSelectThePods() {
        assertThat(
                        TRIAL.errors(
                                NIGHTLY.replace(
                                        "    spec:\n      template:",
                                        "    spec:\n      manualSelector: true\n      selector: {matchLabels: {a: b}}\n      template:")))
                .containsExactly(
                        "spec.jobTemplate.spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: `selector` will"
                                + " be auto-generated",
                        "spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: \"nil\","
                                + " \"false\"");
    }

    @Test
    void leavesRoomInItsNameForTheTime() {
        var name = "a".repeat(53);
        assertThat(TRIAL.errors(NIGHTLY.replace("name: nightly", "name: " + name)))
                .containsExactly("metadata.name: Invalid value: \"" + name + "\": must be no more than 52 characters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            hourly | expected exactly 5 fields, found 1: [hourly]
            * * * * * * | expected exactly 5 fields, found 6: [* * * * * *]
            60 * * * * | end of range (60) above maximum (59): 60
            * * 0 * * | beginning of range (0) below minimum (1): 0
            5-1 * * * * | beginning of range (5) beyond end of range (1): 5-1
            */0 * * * * | step of range should be a positive number: */0
            1-2-3 * * * * | too many hyphens: 1-2-3
            1/2/3 * * * * | too many slashes: 1/2/3
            x * * * * | failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax
            @noon | unrecognized descriptor: @noon
            @every day | failed to parse duration @every day: time: invalid duration "day"
            """)
    void saysWhatIsWrongWithASchedule(String schedule, String message) {
        assertThatThrownBy(() -> CronSchedule.parse(schedule)).hasMessage(message);
        assertThat(TRIAL.errors(NIGHTLY.replace("0 2 * * *", schedule)))
                .containsExactly("spec.schedule: Invalid value: \"" + schedule + "\": " + message);
    }

    @Test
    void refusesATimeZoneInTheSchedule() {
        assertThat(TRIAL.errors(NIGHTLY.replace("0 2 * * *", "TZ=UTC 0 2 * * *")))
                .containsExactly("spec.schedule: Invalid value: \"TZ=UTC 0 2 * * *\": cannot use TZ or CRON_TZ in"
                        + " schedule, use timeZone field instead");
        assertThat(TRIAL.errors(NIGHTLY.replace("\"0 2 * * *\"", "\"\"")))
                .containsExactly("spec.schedule: Required value");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            * * * * *        | 2026-01-01T00:00:30Z[UTC]           | 2026-01-01T00:01Z[UTC]
            0 2 * * *        | 2026-01-01T02:00:00Z[UTC]           | 2026-01-02T02:00Z[UTC]
            0 2 * * 0        | 2026-01-01T00:00:00Z[UTC]           | 2026-01-04T02:00Z[UTC]
            */15 9-17 * * MON-FRI | 2026-01-02T17:50:00Z[UTC]      | 2026-01-05T09:00Z[UTC]
            0 0 29 feb *     | 2026-01-01T00:00:00Z[UTC]           | 2028-02-29T00:00Z[UTC]
            0 0 13 * 5       | 2026-01-01T00:00:00Z[UTC]           | 2026-01-02T00:00Z[UTC]
            0 0 13 * *       | 2026-01-01T00:00:00Z[UTC]           | 2026-01-13T00:00Z[UTC]
            30 2 * * *       | 2026-03-29T00:00:00+01:00[Europe/Vienna] | 2026-03-30T02:30+02:00[Europe/Vienna]
            @yearly          | 2026-05-01T00:00:00Z[UTC]           | 2027-01-01T00:00Z[UTC]
            @hourly          | 2026-05-01T00:10:00Z[UTC]           | 2026-05-01T01:00Z[UTC]
            @every 1h30m     | 2026-05-01T00:10:00Z[UTC]           | 2026-05-01T01:40Z[UTC]
            """)
    void findsTheNextTime(String schedule, ZonedDateTime after, ZonedDateTime expected) {
        assertThat(CronSchedule.parse(schedule).next(after)).contains(expected);
    }

    @Test
    void knowsThatSomeDaysNeverCome() {
        assertThat(CronSchedule.parse("0 0 30 2 *").next(ZonedDateTime.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
    }

    @Test
    void showsWhenItRanLast() {
        assertThat(TRIAL.headings())
                .containsExactly(
                        "Name",
                        "Schedule",
                        "Timezone",
                        "Suspend",
                        "Active",
                        "Last Schedule",
                        "Age",
                        "Containers",
                        "Images",
                        "Selector");
        var object = TRIAL.stored(NIGHTLY);
        assertThat(TRIAL.row(object, "2026-01-01T00:01:00Z"))
                .containsExactly(
                        "nightly",
                        "0 2 * * *",
                        "<none>",
                        "False",
                        "0",
                        "<none>",
                        "60s",
                        "clean",
                        "busybox:1",
                        "<none>");
        var ran = object.with("status", KindTrial.yaml("{lastScheduleTime: \"2026-01-01T00:00:30Z\", active: [{}]}"));
        assertThat(TRIAL.row(ran, "2026-01-01T00:01:00Z").subList(4, 6)).containsExactly("1", "30s");
    }
}

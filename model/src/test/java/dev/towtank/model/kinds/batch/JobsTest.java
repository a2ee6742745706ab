package dev.towtank.model.kinds.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobsTest {

    private static final KindTrial TRIAL = new KindTrial(Jobs.KIND);

    private static final String PI = """
            metadata: {name: pi, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: pi, image: "perl:5"}]
            """;

    @Test
    void getsASelectorThatNoOtherJobHas() {
        var stored = TRIAL.stored(PI);

        assertThat(stored.object("spec", "selector")).isEqualTo(KindTrial.yaml("""
                matchLabels: {batch.kubernetes.io/controller-uid: 11111111-2222-3333-4444-555555555555}
                """));
        assertThat(stored.object("spec", "template", "metadata", "labels")).isEqualTo(KindTrial.yaml("""
                job-name: pi
                batch.kubernetes.io/job-name: pi
                controller-uid: 11111111-2222-3333-4444-555555555555
                batch.kubernetes.io/controller-uid: 11111111-2222-3333-4444-555555555555
                """));
        assertThat(stored.object("metadata", "labels"))
                .isEqualTo(stored.object("spec", "template", "metadata", "labels"));
        assertThat(TRIAL.errors(PI)).isEmpty();
    }

    @Test
    void fillsInWhatUsersLeaveOut() {
        assertThat(TRIAL.stored(PI).object("spec").without("template").without("selector"))
                .isEqualTo(KindTrial.yaml("""
                        completions: 1
                        parallelism: 1
                        backoffLimit: 6
                        completionMode: NonIndexed
                        suspend: false
                        podReplacementPolicy: TerminatingOrFailed
                        manualSelector: false
                        """));
        var parallel = TRIAL.stored(PI + "  parallelism: 3\n").object("spec");
        assertThat(parallel.has("completions")).isFalse();
        assertThat(parallel.integer("parallelism")).isEqualTo(3);
    }

    @Test
    void keepsASelectorMadeByHand() {
        var manual = PI.replace("    spec:\n", "    metadata: {labels: {app: pi}}\n    spec:\n") + """
                  manualSelector: true
                  selector: {matchLabels: {app: pi}}
                """;

        assertThat(TRIAL.errors(manual)).isEmpty();
        assertThat(TRIAL.stored(manual).object("spec", "selector"))
                .isEqualTo(KindTrial.yaml("{matchLabels: {app: pi}}"));
        assertThat(TRIAL.errors(manual.replace("matchLabels: {app: pi}", "matchLabels: {app: other}")))
                .containsExactly("spec.template.metadata.labels: Invalid value: {\"app\":\"pi\"}: `selector` does not"
                        + " match template `labels`");
    }

    @Test
    void refusesLabelsThatBelongToAnotherJob() {
        var labelled = PI.replace("    spec:\n", "    metadata: {labels: {controller-uid: other}}\n    spec:\n");

        assertThat(TRIAL.errors(labelled))
                .containsExactly("spec.template.metadata.labels[controller-uid]: Invalid value: "
                        + "{\"batch.kubernetes.io/controller-uid\":\"" + KindTrial.UID
                        + "\",\"batch.kubernetes.io/job-name\":\"pi\",\"controller-uid\":\"other\",\"job-name\":\"pi\"}:"
                        + " must be '" + KindTrial.UID + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            completions: -1 | spec.completions: Invalid value: -1: must be greater than or equal to 0
            backoffLimit: -1 | spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0
            ttlSecondsAfterFinished: -1 | spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0
            activeDeadlineSeconds: -1 | spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0
            completionMode: Odd | spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"
            {completionMode: Indexed, parallelism: 1} | spec.completions: Required value: when completion mode is Indexed
            {completionMode: Indexed, completions: 1, parallelism: 100001} | spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed
            backoffLimitPerIndex: 1 | spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode
            managedBy: me | spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")
            podReplacementPolicy: Odd | spec.podReplacementPolicy: Unsupported value: "Odd": supported values: "Failed", "TerminatingOrFailed"
            successPolicy: {rules: [{succeededCount: 1}]} | spec.successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: requires indexed completion mode
            {completionMode: Indexed, completions: 3, successPolicy: {rules: [{succeededIndexes: "0,5"}]}} | spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,5": error parsing succeededIndexes: too large index: "5"
            {completionMode: Indexed, completions: 3, successPolicy: {rules: [{succeededIndexes: "0-1", succeededCount: 3}]}} | spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)
            {completionMode: Indexed, completions: 3, successPolicy: {rules: []}} | spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified
            podFailurePolicy: {rules: [{action: Ignore}]} | spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required
            podFailurePolicy: {rules: [{onPodConditions: [{type: Odd}]}]} | spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]
            podFailurePolicy: {rules: [{action: FailIndex, onPodConditions: [{type: Odd}]}]} | spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set
            podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [0]}}]} | spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator
            podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [2, 1]}}]} | spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered
            podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [1, 1]}}]} | spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Duplicate value: 1
            podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [1], containerName: x}}]} | spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template
            """)
    void refusesWhatCannotBe(String fields, String message) {
        var more = fields.startsWith("{") ? KindTrial.yaml(fields) : KindTrial.yaml("{" + fields + "}");
        var object = KindTrial.yaml(PI);
        for (var field : more) {
            object = object.with(List.of("spec", field.getKey()), field.getValue());
        }
        assertThat(TRIAL.errors(object.toString())).containsExactly(message);
    }

    @Test
    void endsItsPodsSomeDay() {
        assertThat(TRIAL.errors(PI.replace("restartPolicy: Never", "restartPolicy: Always")))
                .containsExactly("spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\","
                        + " \"Never\"");
        assertThat(TRIAL.errors(PI.replace("      restartPolicy: Never\n", "")))
                .containsExactly("spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\","
                        + " \"Never\"");
    }

    @Test
    void hasANameThatFitsTheHostNamesOfItsPods() {
        var name = "a".repeat(62);
        assertThat(TRIAL.errors(PI.replace("name: pi, namespace", "name: " + name + ", namespace")
                        + "  completionMode: Indexed\n  completions: 3\n"))
                .containsExactly("metadata.name: Invalid value: \"" + name
                        + "\": will not able to create pod with invalid DNS label: " + name + "-2");
    }

    @Test
    void changesLittleOnceItIsThere() {
        var old = TRIAL.stored(PI);
        assertThat(TRIAL.updateErrors(old, old.with(List.of("spec", "parallelism"), Json.of(2))))
                .isEmpty();
        assertThat(TRIAL.updateErrors(old, old.with(List.of("spec", "completions"), Json.of(2))))
                .containsExactly("spec.completions: Invalid value: 2: field is immutable");
        assertThat(TRIAL.updateErrors(old, old.with(List.of("spec", "managedBy"), Json.of("acme.io/jobs"))))
                .containsExactly("spec.managedBy: Invalid value: \"acme.io/jobs\": field is immutable");
        assertThat(TRIAL.updateErrors(old, withNodeSelector(old)))
                .singleElement()
                .satisfies(error -> assertThat(error)
                        .startsWith("spec.template: Invalid value: ")
                        .endsWith(": field is immutable"));
    }

    @Test
    void mayMoveToOtherNodesBeforeItStarts() {
        var suspended = TRIAL.stored(PI + "  suspend: true\n");

        assertThat(TRIAL.updateErrors(suspended, withNodeSelector(suspended))).isEmpty();
        var started = suspended.with(List.of("status", "startTime"), Json.of("2026-01-01T00:00:00Z"));
        assertThat(TRIAL.updateErrors(started, withNodeSelector(started))).hasSize(1);
    }

    private static Json.Obj withNodeSelector(Json.Obj job) {
        return job.with(List.of("spec", "template", "spec", "nodeSelector"), Json.Obj.of("zone", Json.of("b")));
    }

    @Test
    void scalesIndexesOnlyTogetherWithParallelism() {
        var indexed = TRIAL.stored(PI + "  completionMode: Indexed\n  completions: 3\n  parallelism: 3\n");
        var more = indexed.with(List.of("spec", "completions"), Json.of(4));

        assertThat(TRIAL.updateErrors(indexed, more))
                .containsExactly(
                        "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism");
        assertThat(TRIAL.updateErrors(indexed, more.with(List.of("spec", "parallelism"), Json.of(4))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | {active: -1} | status.active: Invalid value: -1: must be greater than or equal to 0
            {} | {startTime: "2026-01-01T00:00:00Z", conditions: [{type: Failed, status: "True"}]} | status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition
            {} | {conditions: [{type: SuccessCriteriaMet, status: "True"}, {type: Complete, status: "True"}], startTime: "2026-01-01T00:00:00Z"} | status.completionTime: Required value: completionTime is required for Complete jobs
            {} | {completionTime: "2026-01-01T00:00:00Z"} | status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition
            {failed: 2} | {failed: 1} | status.failed: Invalid value: 1: cannot decrease the failed counter
            {succeeded: 2} | {succeeded: 1} | status.succeeded: Invalid value: 1: cannot decrease the succeeded counter
            {} | {ready: 1} | status.ready: Invalid value: 1: cannot set more ready pods than active
            {} | {completedIndexes: "1"} | status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode
            {startTime: "2026-01-01T00:00:00Z"} | {startTime: "2026-01-01T00:00:01Z"} | status.startTime: Invalid value: "2026-01-01T00:00:01Z": field is immutable for unsuspended job once set
            {} | {uncountedTerminatedPods: {succeeded: [a], failed: [a]}} | status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"
            """)
    void keepsItsStatusInOrder(String old, String changed, String message) {
        assertThat(TRIAL.statusErrors("{status: " + old + "}", "{status: " + changed + "}"))
                .containsExactly(message);
    }

    @Test
    void staysFinished() {
        var failed = "{status: {startTime: a, conditions: [{type: FailureTarget, status: \"True\"},"
                + " {type: Failed, status: \"True\"}]}}";

        assertThat(TRIAL.statusErrors(failed, failed)).isEmpty();
        assertThat(TRIAL.statusErrors(failed, "{status: {startTime: a}}"))
                .containsExactly(
                        "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
                        "status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition");
    }

    @Test
    void showsHowFarItIs() {
        assertThat(TRIAL.headings())
                .containsExactly(
                        "Name", "Status", "Completions", "Duration", "Age", "Containers", "Images", "Selector");
        var running = TRIAL.stored(PI).with("status", KindTrial.yaml("{startTime: \"2026-01-01T00:00:10Z\"}"));
        assertThat(TRIAL.row(running, "2026-01-01T00:01:10Z"))
                .containsExactly(
                        "pi",
                        "Running",
                        "0/1",
                        "60s",
                        "70s",
                        "pi",
                        "perl:5",
                        "batch.kubernetes.io/controller-uid=" + KindTrial.UID);
        var done = running.with("status", KindTrial.yaml("""
                startTime: "2026-01-01T00:00:10Z"
                completionTime: "2026-01-01T00:00:15Z"
                succeeded: 1
                conditions: [{type: Complete, status: "True"}]
                """));
        assertThat(TRIAL.row(done, "2026-01-01T00:01:10Z").subList(1, 4)).containsExactly("Complete", "1/1", "5s");
        assertThat(TRIAL.row("{spec: {parallelism: 3}}", "2026-01-01T00:01:10Z").get(2))
                .isEqualTo("0/1 of 3");
    }

    @Test
    void leavesItsPodsBehindUnlessTold() {
        assertThat(Jobs.KIND.rules().orphansByDefault()).isTrue();
        assertThat(Jobs.KIND.rules().selectableFields().get("status.successful").apply(TRIAL.stored(PI)))
                .isEqualTo("0");
    }
}

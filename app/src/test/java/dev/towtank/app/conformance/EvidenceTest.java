package dev.towtank.app.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceTest {

    private static final Json.Obj FAILED = yaml("""
            status: {conditions: [{type: Succeeded, status: "False", reason: StepFailed, message: it broke}]}
            """);

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static final String WRITTEN = """
            script: |
              crane ls $(params.image)
              echo $(helm version) $(context.task.retry-count)
              /ko-app/git-init; /tekton/scripts/mine; sh
            """;

    private static Verdict verdict(Json.Obj run, List<Json.Obj> pods, String log) {
        return new Evidence(WRITTEN, run, List.of(), pods, List.of(new Evidence.Log("step-a", log)), "sh"::equals)
                .verdict(true);
    }

    @Test
    void tellsTheWordsOfTheServerWhereNothingIsMissing() {
        assertThat(verdict(FAILED, List.of(), "assertion failed\n"))
                .isEqualTo(new Verdict.Failed("StepFailed: it broke"));
    }

    @Test
    void tellsThatTimeIsOver() {
        var run = yaml("status: {conditions: [{type: Succeeded, status: Unknown, reason: Running, message: on it}]}");

        assertThat(new Evidence(WRITTEN, run, List.of(), List.of(), List.of(), _ -> true).verdict(false))
                .isEqualTo(new Verdict.Failed("not over in time: Running: on it"));
    }

    @Test
    void skipsWhatNeedsAnImageThatIsNotHere() {
        var pod = yaml("""
                status:
                  containerStatuses:
                  - {name: step-a, image: example.com/crane, state: {waiting: {reason: ErrImagePull}}}
                """);

        assertThat(verdict(FAILED, List.of(pod), ""))
                .isEqualTo(new Verdict.Skipped("needs an image that is not here: image example.com/crane"));
    }

    @Test
    void skipsWhatFitsNoNode() {
        var pod = yaml("""
                status:
                  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."}]
                """);

        assertThat(verdict(FAILED, List.of(pod), ""))
                .isEqualTo(new Verdict.Skipped("needs another node:"
                        + " 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."));
    }

    @Test
    void countsWhatATooLargePodNeedsAsAFailure() {
        var pod = yaml("""
                status:
                  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: Insufficient cpu}]
                """);

        assertThat(verdict(FAILED, List.of(pod), "")).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void skipsWhatNeedsTheNetwork() {
        assertThat(verdict(FAILED, List.of(), "Cloning\nfatal: Could not resolve host: github.com\n"))
                .isEqualTo(new Verdict.Skipped("needs the network: Could not resolve host: github.com"));
    }

    @Test
    void skipsWhatNeedsAProgramOnlyWhenItIsReallyNotInstalled() {
        assertThat(verdict(FAILED, List.of(), "script: line 3: crane: not found\n"))
                .isEqualTo(new Verdict.Skipped("needs a program that is not here: crane, in the container step-a"));
        assertThat(verdict(FAILED, List.of(), "script: line 3: sh: not found\n"))
                .isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void doesNotExcuseAVariableThatIsLeft() {
        assertThat(verdict(FAILED, List.of(), "script: line 2: context.task.retry-count: not found\n"))
                .isInstanceOf(Verdict.Failed.class);
        assertThat(verdict(FAILED, List.of(), "fatal: Could not resolve host: $(params.host)\n"))
                .isInstanceOf(Verdict.Failed.class);
        var pod = yaml("""
                status:
                  containerStatuses:
                  - {name: step-a, image: $(params.image), state: {waiting: {reason: ErrImagePull}}}
                """);
        assertThat(verdict(FAILED, List.of(pod), "")).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void doesNotExcuseWhatTheExampleDoesNotName() {
        assertThat(verdict(FAILED, List.of(), "script: line 2: a-value-of-ours: not found\n"))
                .isInstanceOf(Verdict.Failed.class);
        assertThat(verdict(FAILED, List.of(), "script: line 2: helm: not found\n"))
                .isInstanceOf(Verdict.Skipped.class);
    }

    @Test
    void doesNotExcuseWhatWePlaceOrServe() {
        assertThat(verdict(FAILED, List.of(), "sh: /tekton/scripts/mine: not found\n"))
                .isInstanceOf(Verdict.Failed.class);
        assertThat(verdict(FAILED, List.of(), "Could not resolve host: registry.default.svc\n"))
                .isInstanceOf(Verdict.Failed.class);
        assertThat(Evidence.ofUnknownKind("tekton.dev/v1", "TaskRun")).isInstanceOf(Verdict.Failed.class);
        assertThat(Evidence.ofUnknownKind("apps/v1", "Deployment")).isInstanceOf(Verdict.Failed.class);
        assertThat(Evidence.ofUnknownKind("tekton.dev/v1beta1", "ClusterTask")).isInstanceOf(Verdict.Skipped.class);
    }

    @Test
    void tellsRefusalsForFlagsFromOthers() {
        var gate = "matrix requires \"enable-api-fields\" feature gate to be \"alpha\"";

        assertThat(Evidence.ofRefusal(gate, false)).isInstanceOf(Verdict.Skipped.class);
        assertThat(Evidence.ofRefusal(gate, true)).isInstanceOf(Verdict.Failed.class);
        assertThat(Evidence.ofRefusal("missing field(s): spec.steps", false)).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void aContainerIsHeardThoughItWasStartedAnew() {
        assertThat(Trial.badLogs(yaml("{state: {terminated: {exitCode: 1}}}"))).containsExactly("");
        assertThat(Trial.badLogs(yaml("{state: {running: {}}, lastState: {terminated: {exitCode: 1}}}")))
                .containsExactly("&previous=true");
        assertThat(Trial.badLogs(yaml("{state: {terminated: {exitCode: 0}}}"))).isEmpty();
    }
}

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

    private static Verdict verdict(Json.Obj run, List<Json.Obj> pods, String log) {
        return new Evidence(run, List.of(), pods, List.of(new Evidence.Log("step-a", log)), "sh"::equals).verdict(true);
    }

    @Test
    void tellsTheWordsOfTheServerWhereNothingIsMissing() {
        assertThat(verdict(FAILED, List.of(), "assertion failed\n"))
                .isEqualTo(new Verdict.Failed("StepFailed: it broke"));
    }

    @Test
    void tellsThatTimeIsOver() {
        var run = yaml("status: {conditions: [{type: Succeeded, status: Unknown, reason: Running, message: on it}]}");

        assertThat(new Evidence(run, List.of(), List.of(), List.of(), _ -> true).verdict(false))
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
                  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/1 nodes}]
                """);

        assertThat(verdict(FAILED, List.of(pod), "")).isEqualTo(new Verdict.Skipped("needs another node: 0/1 nodes"));
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
    void tellsRefusalsForFlagsFromOthers() {
        assertThat(Evidence.ofRefusal("matrix requires \"enable-api-fields\" feature gate to be \"alpha\""))
                .isInstanceOf(Verdict.Skipped.class);
        assertThat(Evidence.ofRefusal("missing field(s): spec.steps")).isInstanceOf(Verdict.Failed.class);
    }
}

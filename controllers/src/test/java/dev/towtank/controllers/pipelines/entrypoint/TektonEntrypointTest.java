package dev.towtank.controllers.pipelines.entrypoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.pods.ImageCommands.ImageCommand;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.cluster.pods.RunningContainer.Exit;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TektonEntrypointTest {

    private static final Exit OK = new Exit(0, false, Optional.empty());

    private final FakePod pod = FakePod.of("a", "b");

    private static List<String> step(int number, String... more) {
        var command = new ArrayList<>(List.of("/tekton/bin/entrypoint"));
        if (number > 0) {
            command.addAll(List.of("-wait_file", "/tekton/run/" + (number - 1) + "/out"));
        }
        command.addAll(List.of(
                "-post_file",
                "/tekton/run/" + number + "/out",
                "-termination_path",
                "/tekton/termination",
                "-step_metadata_dir",
                "/tekton/run/" + number + "/status"));
        command.addAll(List.of(more));
        if (!command.contains("--")) {
            command.addAll(List.of("-entrypoint", "sh", "--", "-c", "x"));
        }
        return command;
    }

    private int run(int number, Function<RunningContainer.Command, Exit> process, String... more) throws Exception {
        return pod.start(number == 0 ? "step-a" : "step-b", step(number, more), process)
                .get(60, TimeUnit.SECONDS);
    }

    private TerminationMessage message() {
        return TerminationMessage.parse(pod.file("/tekton/termination").orElse(""))
                .orElseThrow();
    }

    private static Exit code(int code) {
        return new Exit(code, false, Optional.empty());
    }

    @Test
    void aStepWithoutACommandRunsWhatItsImageSays() throws Exception {
        pod.image = new ImageCommand(List.of("/ko-app/tool", "-v"), List.of("help"));

        assertThat(run(0, _ -> OK, "--", "build")).isZero();
        assertThat(run(1, _ -> OK, "--")).isZero();

        assertThat(pod.started.getFirst().arguments()).endsWith("/ko-app/tool", "-v", "build");
        assertThat(pod.started.getLast().arguments()).endsWith("/ko-app/tool", "-v", "help");
    }

    @Test
    void aStepForWhichNobodyNamesACommandSaysSo() throws Exception {
        assertThat(run(0, _ -> OK, "--")).isNotZero();

        assertThat(String.join("\n", pod.log("step-a"))).contains("its image names none");
    }

    @Test
    void aStepThatSucceedsLetsTheNextOneStart() throws Exception {
        assertThat(run(0, _ -> OK)).isZero();

        assertThat(pod.file("/tekton/run/0/out")).contains("");
        assertThat(pod.file("/tekton/run/0/status/exitCode")).contains("0");
        assertThat(message().internal("StartedAt")).contains("2026-01-01T00:00:00.500Z");
        assertThat(pod.started)
                .singleElement()
                .satisfies(command -> assertThat(command.arguments()).containsExactly("sh", "-c", "x"));
    }

    @Test
    void theSecondStepWaitsForTheFirst() throws Exception {
        var second = pod.start("step-b", step(1), _ -> OK);
        assertThat(run(0, _ -> OK)).isZero();

        assertThat(second.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(pod.file("/tekton/run/1/out")).isPresent();
    }

    @Test
    void aFailureSkipsWhatComesAfter() throws Exception {
        assertThat(run(0, _ -> code(3))).isEqualTo(3);
        assertThat(pod.file("/tekton/run/0/out.err")).isPresent();
        assertThat(pod.file("/tekton/run/0/status/exitCode")).isEmpty();

        assertThat(run(1, _ -> OK)).isEqualTo(1);
        assertThat(message().internal("Reason")).contains("Skipped");
        assertThat(pod.file("/tekton/run/1/out.err")).isPresent();
        assertThat(pod.log("step-b")).contains("Skipping step because a previous step failed");
        assertThat(pod.started).hasSize(1);
    }

    private FutureTask<Integer> printer(String... more) {
        var command = new ArrayList<>(List.of(
                "/ko-app/sidecarlogresults",
                "-results-dir",
                "/tekton/results",
                "-result-names",
                "r,none,link",
                "-step-names",
                "step-b",
                "-step-results",
                "{\"step-b\":[\"own\"]}"));
        command.addAll(List.of(more));
        return pod.start("sidecar-tekton-log-results", command, _ -> OK);
    }

    @Test
    void resultsArePrintedWhenAllStepsAreOver() throws Exception {
        pod.put("/tekton/results/r", "a \"b\"\n");
        pod.put("/tekton/run/1/status/results/own", "mine");
        pod.put("/tekton/run/1/status/artifacts/provenance.json", "{}");
        pod.refuse("/tekton/results/link", "a symbolic link");
        var sidecar = printer();

        assertThat(run(0, _ -> OK, "-results", "r", "-result_from", "sidecar-logs"))
                .isZero();
        assertThat(message().ofType(TerminationMessage.TASK_RESULT)).isEmpty();
        assertThat(sidecar.isDone()).isFalse();
        assertThat(run(1, _ -> OK)).isZero();

        assertThat(sidecar.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(pod.log("sidecar-tekton-log-results"))
                .containsExactly(
                        "{\"name\":\"r\",\"value\":\"a \\\"b\\\"\\n\",\"type\":\"task\"}",
                        "{\"name\":\"step-b.own\",\"value\":\"mine\",\"type\":\"step\"}",
                        "{\"name\":\"step-b\",\"value\":\"{}\",\"type\":\"stepArtifact\"}");
    }

    @Test
    void resultsArePrintedWhenAStepFails() throws Exception {
        pod.put("/tekton/results/r", "v");
        var sidecar = printer();

        assertThat(run(0, _ -> code(1))).isEqualTo(1);

        assertThat(sidecar.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(pod.log("sidecar-tekton-log-results")).hasSize(1);
    }

    @Test
    void anErrorThatIsContinuedIsRememberedAndForgiven() throws Exception {
        assertThat(run(0, _ -> code(7), "-on_error", "continue")).isZero();

        assertThat(pod.file("/tekton/run/0/out")).isPresent();
        assertThat(pod.file("/tekton/run/0/status/exitCode")).contains("7");
        assertThat(message().internal("ExitCode")).contains("7");
    }

    @Test
    void aCommandThatCannotStartFailsEvenWhereErrorsAreForgiven() throws Exception {
        var exit = new Exit(127, false, Optional.of("fork/exec /nope: no such file or directory"));

        assertThat(run(0, _ -> exit, "-on_error", "continue")).isEqualTo(1);
        assertThat(pod.file("/tekton/run/0/out.err")).isPresent();
        assertThat(pod.log("step-a")).contains("Error executing command: fork/exec /nope: no such file or directory");
    }

    @Test
    void aTimeoutIsToldApartFromAFailure() throws Exception {
        assertThat(run(
                        0,
                        command -> {
                            assertThat(command.timeout())
                                    .hasValueSatisfying(
                                            limit -> assertThat(limit).hasSeconds(2));
                            return new Exit(137, true, Optional.empty());
                        },
                        "-timeout",
                        "2s"))
                .isEqualTo(1);
        assertThat(message().internal("Reason")).contains("TimeoutExceeded");
        assertThat(pod.file("/tekton/run/0/out.err")).isPresent();
    }

    @Test
    void resultsAreTakenAsTheyStand() throws Exception {
        run(
                0,
                _ -> {
                    pod.put("/tekton/results/digest", "abc\n");
                    pod.put("/tekton/run/0/status/results/r", "[\"x\",\"y\"]");
                    return OK;
                },
                "-step_results",
                "r",
                "-results",
                "digest,missing");

        assertThat(message().ofType(TerminationMessage.TASK_RESULT))
                .containsExactly(new TerminationMessage.Entry("digest", "abc\n", 1));
        assertThat(message().ofType(TerminationMessage.STEP_RESULT))
                .containsExactly(new TerminationMessage.Entry("r", "[\"x\",\"y\"]", 4));
    }

    @Test
    void aResultOverTheLimitFailsTheStepButLetsTheNextOneStart() throws Exception {
        var code = run(
                0,
                _ -> {
                    pod.put("/tekton/results/big", "x".repeat(5000));
                    return OK;
                },
                "-results",
                "big");

        assertThat(code).isEqualTo(1);
        assertThat(pod.file("/tekton/run/0/out")).isPresent();
        assertThat(pod.log("step-a"))
                .contains("Termination message is above max allowed size 4096, caused by large task result.");
        assertThat(message().ofType(TerminationMessage.TASK_RESULT)).isEmpty();
    }

    @Test
    void aHigherLimitLetsALargerResultThrough() throws Exception {
        pod.annotate(StepRun.RESULT_LIMIT, "100000");
        var code = run(
                0,
                _ -> {
                    pod.put("/tekton/results/big", "x".repeat(50_000));
                    return OK;
                },
                "-results",
                "big");

        assertThat(code).isZero();
        assertThat(message().ofType(TerminationMessage.TASK_RESULT))
                .singleElement()
                .satisfies(result -> assertThat(result.value()).hasSize(50_000));
    }

    @Test
    void aResultThatIsALinkIsRefused() throws Exception {
        pod.refuse("/tekton/results/r", "/tekton/results/r is a symbolic link");

        assertThat(run(0, _ -> OK, "-results", "r")).isEqualTo(1);
        assertThat(message().internal("Problem"))
                .contains("a result cannot be read: /tekton/results/r is a symbolic link");
    }

    @Test
    void resultsOfStepsReachCommandEnvironmentAndConditions() throws Exception {
        pod.put("/tekton/run/0/out", "");
        pod.put("/tekton/run/0/status/results/r", "hello");
        pod.put("/tekton/run/0/status/results/list", "[\"p\",\"q\"]");
        pod.put("/tekton/run/0/status/results/map", "{\"k\":\"v\"}");
        var when = "[{\"input\":\"$(steps.a.results.r)\",\"operator\":\"in\",\"values\":[\"hello\"]}]";

        run(
                1,
                _ -> OK,
                "--when_expressions",
                when,
                "-entrypoint",
                "echo",
                "--",
                "<$(steps.a.results.r)>",
                "$(steps.a.results.list[*])",
                "$(steps.a.results.list[1])",
                "$(steps.a.results.map.k)");

        assertThat(pod.started).singleElement().satisfies(command -> {
            assertThat(command.arguments()).containsExactly("echo", "<hello>", "p", "q", "q", "v");
            assertThat(command.environment()).containsEntry("FROM", "hello");
        });
    }

    @Test
    void aConditionThatIsFalseSkipsTheStepAlone() throws Exception {
        var when = "[{\"input\":\"a\",\"operator\":\"in\",\"values\":[\"b\"]}]";

        assertThat(run(0, _ -> code(1), "--when_expressions", when)).isZero();
        assertThat(pod.started).isEmpty();
        assertThat(message().internal("Reason")).contains("Skipped");
        assertThat(pod.file("/tekton/run/0/out")).isPresent();
        assertThat(pod.file("/tekton/run/0/status/exitCode")).contains("0");
    }

    @Test
    void theFirstStepWaitsUntilThePodIsReady() throws Exception {
        var first = pod.start("step-a", step(0, "-wait_file", "/tekton/downward/ready", "-wait_file_content"), _ -> OK);
        pod.annotate("tekton.dev/ready", "READY");

        assertThat(first.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void cancellingKillsTheProcess() throws Exception {
        var first = pod.start("step-a", step(0), _ -> {
            pod.annotate("tekton.dev/cancel", "CANCEL");
            return code(-1);
        });

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(9);
        assertThat(message().internal("Reason")).contains("Cancelled");
        assertThat(pod.file("/tekton/run/0/status/exitCode")).contains("killed");
    }

    @Test
    void runAgainAfterARestartItStartsNothingTwiceAndSaysTheSame() throws Exception {
        run(0, _ -> code(3));
        var said = pod.file("/tekton/termination");

        assertThat(run(0, _ -> OK)).isEqualTo(3);
        assertThat(pod.started).hasSize(1);
        assertThat(pod.file("/tekton/termination")).isEqualTo(said);
    }

    @Test
    void aBreakpointKeepsAFailedStepUntilSomebodyDecides() throws Exception {
        var step = pod.start("step-a", step(0, "-breakpoint_on_failure"), _ -> code(1));
        pod.put("/tekton/run/0/out.breakpointexit", "0\n");

        assertThat(step.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(pod.file("/tekton/run/0/out")).isEmpty();
    }

    @Test
    void aBreakpointBeforeAStepWaits() throws Exception {
        FutureTask<Integer> step = pod.start("step-a", step(0, "-debug_before_step"), _ -> OK);
        pod.put("/tekton/run/0/out.beforestepexit.err", "1\n");

        assertThat(step.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(pod.started).isEmpty();
    }

    @Test
    void prepareMakesTheWaysToTheStepsDirectories() throws Exception {
        pod.start(
                        "prepare",
                        List.of("/ko-app/entrypoint", "init", "/ko-app/entrypoint", "/tekton/bin/entrypoint", "step-a"),
                        _ -> OK)
                .get(60, TimeUnit.SECONDS);

        assertThat(pod.links())
                .containsEntry("/tekton/steps/step-a", "/tekton/run/0/status")
                .containsEntry("/tekton/steps/0", "/tekton/run/0/status");
    }

    @Test
    void scriptsComeOutAsTheyWentIn() throws Exception {
        var script = "#!/usr/bin/env bash\necho '_EOF_' $(HOME) \"$$\"\n";
        var program = ScriptFiles.place("/tekton/scripts/script-0-abcde", script)
                + ScriptFiles.place("/tekton/scripts/script-1-abcde", "echo hi")
                + ScriptFiles.placeVerbatim("/tekton/debug/scripts/debug-continue", "heredoc-1", "line 1\nline 2");
        pod.start("place-scripts", List.of("sh", "-c", program), _ -> OK).get(60, TimeUnit.SECONDS);

        assertThat(pod.file("/tekton/scripts/script-0-abcde")).contains(script);
        assertThat(pod.file("/tekton/scripts/script-1-abcde")).contains("#!/bin/sh\nset -e\necho hi");
        assertThat(pod.file("/tekton/debug/scripts/debug-continue")).contains("line 1\nline 2\n");
    }

    @Test
    void credentialsBecomeTheFilesThatToolsLookFor() throws Exception {
        pod.put("/tekton/creds-secrets/s/username", "me");
        pod.put("/tekton/creds-secrets/s/password", "p@ss");
        pod.put("/tekton/creds-secrets/k/ssh-privatekey", "KEY");
        run(0, _ -> OK, "-basic-git=s=https://git.example.com", "-basic-docker=s=https://reg", "-ssh-git=k=host:2222");

        assertThat(pod.file("/tekton/creds/.git-credentials")).contains("https://me:p%40ss@git.example.com\n");
        assertThat(pod.file("/tekton/creds/.gitconfig"))
                .contains(
                        "[credential]\n\thelper = store\n[credential \"https://git.example.com\"]\n\tusername = me\n");
        assertThat(pod.file("/tekton/creds/.docker/config.json").orElse("")).contains("\"auth\":\"bWU6cEBzcw==\"");
        assertThat(pod.file("/tekton/creds/.ssh/config"))
                .contains("Host host\n    HostName host\n    Port 2222\n    IdentityFile /tekton/creds/.ssh/id_k\n");
        assertThat(pod.started)
                .singleElement()
                .satisfies(command -> assertThat(command.arguments()).endsWith("sh", "-c", "x"));
    }

    @Test
    void claimsOnlyContainersOfTasks() {
        var program = new TektonEntrypoint("nop");
        var step = Json.Obj.of("name", Json.of("step-a"), "command", Json.Arr.of(Json.of("/tekton/bin/entrypoint")));
        var other = Json.Obj.of("name", Json.of("x"), "command", Json.Arr.of(Json.of("sleep")));

        assertThat(program.runs(new FakePodObject().resource(), step)).isTrue();
        assertThat(program.runs(new FakePodObject().resource(), other)).isFalse();
    }

    private record FakePodObject() {
        dev.towtank.model.Resource resource() {
            return dev.towtank.model.Resource.of(
                    Json.Obj.of("metadata", Json.Obj.of("labels", Json.Obj.of("tekton.dev/taskRun", Json.of("t")))));
        }
    }

    @Test
    void aCompressedMessageReadsAsThePlainOne() {
        var message = new TerminationMessage(
                List.of(new TerminationMessage.Entry("r", "sha256:abc ".repeat(300), TerminationMessage.TASK_RESULT)));

        assertThat(message.text(true)).startsWith("tknz:").hasSizeLessThan(1000);
        assertThat(TerminationMessage.parse(message.text(true))).contains(message);
        assertThat(TerminationMessage.parse("tknz:garbage!")).isEmpty();
        assertThat(TerminationMessage.parse("no json")).isEmpty();
    }
}

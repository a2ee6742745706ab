package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Runs that outlive their objects.
class ArchiveIT {

    private static final String RESULTS = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final String KEPT = """
            apiVersion: operator.tekton.dev/v1alpha1
            kind: TektonResult
            metadata: {name: result}
            spec: {}
            """;
    private static final String PIPELINE_RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: build, labels: {team: blue}}
            spec:
              pipelineSpec:
                tasks:
                - name: compile
                  taskSpec:
                    steps:
                    - {name: fetch, image: busybox, script: echo fetched}
                    - {name: make, image: busybox, script: echo made it}
            """;

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    Path directory;

    private static String records(String namespace, String filter) {
        return RESULTS + namespace + "/results/-/records?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
    }

    private static int count(String text, String wanted) {
        return text.split(Pattern.quote(wanted), -1).length - 1;
    }

    @Test
    void aFinishedRunIsArchivedWithItsLogBeforeItMayGo() {
        var kubectl = SERVER.inNewNamespace();
        kubectl.withInput(KEPT, "apply", "-f", "-");
        kubectl.withInput(PIPELINE_RUN, "create", "-f", "-");
        kubectl.await("pipelinerun/build", "{.metadata.annotations.results\\.tekton\\.dev/stored}", "true");
        var uid = kubectl.run("get", "pipelinerun", "build", "-o", "jsonpath={.metadata.uid}");
        var result = kubectl.namespace() + "/results/" + uid;
        assertThat(kubectl.run("get", "pipelinerun", "build", "-o", "jsonpath={.metadata}"))
                .contains(
                        "\"results.tekton.dev/result\":\"" + result + "\"",
                        "\"results.tekton.dev/record\":\"" + result + "/records/" + uid + "\"",
                        "results.tekton.dev/pipelinerun");
        kubectl.await(
                "taskrun/build-compile",
                "{.metadata.annotations.results\\.tekton\\.dev/childReadyForDeletion}",
                "true");

        kubectl.run("delete", "pipelinerun", "build");

        // What the run owned is collected after it.
        kubectl.run("wait", "--for=delete", "taskruns,pods", "--all", "--timeout=120s");
        assertThat(kubectl.run("get", "pipelineruns,taskruns,pods", "-o", "name"))
                .isEmpty();
        var found = kubectl.run(
                "get",
                "--raw",
                records(
                        kubectl.namespace(),
                        "data_type == \"tekton.dev/v1.PipelineRun\" && data.metadata.labels[\"team\"] == \"blue\""));
        assertThat(count(found, "\"name\":")).isEqualTo(1);
        assertThat(found).contains(result + "/records/" + uid);
        assertThat(kubectl.run("get", "--raw", RESULTS + result + "/logs/" + uid))
                .isEqualTo("""
                        [compile : fetch] fetched

                        [compile : make] made it

                        """);
        assertThat(kubectl.run(
                        "get",
                        "--raw",
                        records(kubectl.namespace(), "data_type == \"results.tekton.dev/v1.EventList\"")))
                .contains("\"records\":[{");

        assertThat(towtank(
                        "runs",
                        "list",
                        "-n",
                        kubectl.namespace(),
                        "--status",
                        "succeeded",
                        "--since",
                        "1d",
                        "-l",
                        "team=blue"))
                .contains("archive", "build", "Succeeded");
        assertThat(towtank("runs", "logs", "build", "-n", kubectl.namespace(), "--step", "make"))
                .isEqualTo("[compile : make] made it\n");
        assertThat(towtank("runs", "search", "made", "-n", kubectl.namespace()))
                .isEqualTo("build  [compile : make] made it\n");
    }

    private String towtank(String... arguments) {
        var command = new ArrayList<>(Shipped.command());
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", SERVER.kubeconfig().toString()));
        return Program.run(command, "", Map.of("XDG_STATE_HOME", directory.toString()))
                .out();
    }

    @Test
    void nobodyReadsTheRunsOfOthers() {
        var kubectl = SERVER.inNewNamespace();
        kubectl.withInput(KEPT, "apply", "-f", "-");
        kubectl.run("create", "serviceaccount", "bob");
        var bob = "--as=system:serviceaccount:" + kubectl.namespace() + ":bob";
        var mine = RESULTS + kubectl.namespace() + "/results";

        assertThat(kubectl.attempt("get", "--raw", mine, bob).exit()).isEqualTo(1);
        kubectl.run(
                "create",
                "rolebinding",
                "bob",
                "--clusterrole=tekton-results-readonly",
                "--serviceaccount=" + kubectl.namespace() + ":bob");
        assertThat(kubectl.run("get", "--raw", mine, bob)).isEqualTo("{}");
        assertThat(kubectl.attempt("get", "--raw", RESULTS + "default/results", bob)
                        .exit())
                .isEqualTo(1);
        assertThat(kubectl.attempt("get", "--raw", RESULTS + "-/results", bob).exit())
                .isEqualTo(1);
        assertThat(kubectl.attempt("get", "--raw", records(kubectl.namespace(), "data.kind == '"), bob)
                        .err())
                .contains("BadRequest")
                .doesNotContain("SQL");
    }

    /// Runs are deleted as soon as they are archived, while the process is killed again and again.
    @Test
    void killedAnywhereNothingIsLostAndNothingIsThereTwice() {
        var server = RunningTowtank.start(directory.resolve("data"));
        try {
            var kubectl = Kubectl.newest(server.kubeconfig(), "default");
            kubectl.withInput(
                    KEPT.replace("spec: {}", "spec: {watcher: {completed_run_grace_period: -1s}}"), "apply", "-f", "-");
            var all = new HashSet<String>();
            for (int round = 0; round < 3; round++) {
                var runs = new StringBuilder();
                for (int i = 0; i < 8; i++) {
                    var name = "r" + round + "-" + i;
                    all.add(name);
                    runs.append("""
                            apiVersion: tekton.dev/v1
                            kind: TaskRun
                            metadata: {name: %s}
                            spec: {taskSpec: {steps: [{name: say, image: busybox, script: echo this is %s}]}}
                            ---
                            """.formatted(name, name));
                }
                kubectl.withInput(runs.toString(), "create", "-f", "-");
                // A later one in each round, so that the others are everywhere between their start and their end.
                kubectl.run("wait", "--for=delete", "taskrun/r" + round + "-" + round, "--timeout=120s");
                server = server.killAndStart();
                kubectl = Kubectl.newest(server.kubeconfig(), "default");
            }
            kubectl.run("wait", "--for=delete", "taskrun", "--all", "--timeout=180s");

            var records = kubectl.run(
                    "get", "--raw", records("default", "data_type == \"tekton.dev/v1.TaskRun\"") + "&page_size=1000");
            var names = new ArrayList<String>();
            var logs = new ArrayList<String>();
            var uids = Pattern.compile("\"name\":\"default/results/([^/]+)/records/([^\"]+)\"")
                    .matcher(records);
            while (uids.find()) {
                names.add(uids.group(2));
                logs.add(kubectl.run(
                        "get", "--raw", RESULTS + "default/results/" + uids.group(1) + "/logs/" + uids.group(2)));
            }
            assertThat(names).doesNotHaveDuplicates();
            assertThat(logs)
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .map(name -> "[say] this is " + name + "\n\n")
                            .toList());
        } finally {
            server.close();
        }
        RunningTowtank.deleteAll(directory.resolve("data").resolve("node")); // its links would each be warned about
    }
}

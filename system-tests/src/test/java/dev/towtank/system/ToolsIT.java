package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What those use who have neither kubectl nor tkn, with kubectl as the judge.
class ToolsIT {
    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static Kubectl kubectl;

    @TempDir
    Path temp;

    @BeforeAll
    static void start() {
        kubectl = SERVER.kubectl();
        kubectl.withInput("""
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {app: web}}, data: {key: value}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}
            ---
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: build}
            spec:
              pipelineSpec:
                tasks:
                - name: compile
                  taskSpec:
                    steps:
                    - {name: get, image: busybox, script: "echo getting ✓"}
                    - {name: make, image: busybox, script: "echo one; echo two"}
                - name: test
                  runAfter: [compile]
                  taskSpec: {steps: [{name: run, image: busybox, script: "echo testing; exit 3"}]}
            """, "create", "-f", "-");
    }

    /// One of our commands on the server.
    private static Program.Outcome towtank(String... arguments) {
        return Program.towtank(withData(arguments));
    }

    private static String[] withData(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", SERVER.data().toString()));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ns -o name",
                "configmaps -o name",
                "cm -l app=web -o name",
                "cm -A -o name",
                "configmap/one cm/two -o name",
                "sa,cm -o name",
                "clusterroles.rbac.authorization.k8s.io -o name",
                "sc",
                "crd -o name"
            })
    void getShowsWhatKubectlShows(String words) {
        var command = ("get " + words).split(" ");

        var ours = towtank(command);
        var theirs = kubectl.run(command);
        // A server that has just started may make some of it meanwhile.
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                !withoutAge(ours.out()).equals(withoutAge(theirs)) && System.nanoTime() < end; ) {
            ours = towtank(command);
            theirs = kubectl.run(command);
        }

        assertThat(ours.err()).isEmpty();
        assertThat(withoutAge(ours.out())).isEqualTo(withoutAge(theirs)).isNotEmpty();
        assertThat(ours.exit()).isZero();
    }

    /// The last column of a table, which is another one a second later.
    private static String withoutAge(String table) {
        return table.replaceAll("(?m) +\\S+$", "");
    }

    @Test
    void getPrintsObjectsThatCanBeAppliedAgain() {
        var yaml = towtank("get", "cm", "one", "-o", "yaml").out();

        assertThat(kubectl.withInput(yaml, "apply", "--dry-run=server", "-f", "-"))
                .contains("configmap/one");
        assertThat(JsonText.parseObject(towtank("get", "cm", "-o", "json").out())
                        .string("kind"))
                .isEqualTo("List");
    }

    @Test
    void watchShowsWhatChanges() throws Exception {
        var watch = new ProcessBuilder(Program.towtankCommand(withData("get", "secrets", "-w", "-o", "name")))
                .redirectErrorStream(true)
                .start();
        try (var lines = watch.inputReader()) {
            // Created until it is seen: who says that the watch has begun?
            kubectl.run("create", "secret", "generic", "watched");
            assertThat(lines.readLine()).isEqualTo("secret/watched");
            kubectl.run("delete", "secret", "watched");
            assertThat(lines.readLine()).isEqualTo("secret/watched");
        } finally {
            watch.destroy();
        }
    }

    @Test
    void logsFollowARunToItsEnd() {
        var followed = towtank("logs", "build", "-f");

        assertThat(followed.out()).isEqualTo("""
            [compile : get] getting ✓

            [compile : make] one
            [compile : make] two

            [test : run] testing

            """);
        assertThat(towtank("logs", "pr/build").out()).isEqualTo(followed.out());
        assertThat(towtank("logs", "tr/build-test", "--step", "run").out()).isEqualTo("[run] testing\n\n");
        assertThat(towtank("logs", "build-compile-pod", "-c", "step-make", "--tail", "1")
                        .out())
                .isEqualTo("two\n");
        assertThat(followed.exit()).isZero();
    }

    @Test
    void describeTellsOfARunAndItsEvents() {
        kubectl.await("pipelinerun/build", "{.status.conditions[0].status}", "False");
        kubectl.awaitEvents("PipelineRun/build Failed: ", "Pod/build-test-pod Scheduled: ");

        assertThat(towtank("describe", "pr/build").out())
                .containsPattern("Name: +build\n")
                .containsPattern("Status: +Failed\n")
                .containsPattern("compile +build-compile +Succeeded")
                .containsPattern("test +build-test +StepFailed")
                .containsPattern("Warning +Failed ");
        assertThat(towtank("describe", "pod", "build-test-pod").out())
                .containsPattern("step-run +busybox \\(stand-in\\) +Error \\(exit code 3\\)")
                .containsPattern("Normal +Scheduled ");
        assertThat(towtank("describe", "node").out()).contains("Kind:", "Conditions", "KubeletReady");
    }

    @Test
    void cancelEndsARun() {
        kubectl.withInput("""
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: long}
            spec:
              pipelineSpec:
                tasks: [{name: wait, taskSpec: {steps: [{name: s, image: busybox, script: "sleep 600"}]}}]
                finally: [{name: clean, taskSpec: {steps: [{name: s, image: busybox, script: "echo clean"}]}}]
            """, "create", "-f", "-");
        kubectl.await("pipelinerun/long", "{.status.conditions[0].reason}", "Running");

        var outcome = towtank("cancel", "long", "--finally", "--wait");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("PipelineRun long has ended: Cancelled.\n");
        assertThat(towtank("logs", "long").out()).contains("[clean : s] clean");
        var again = towtank("cancel", "long");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).isEqualTo("towtank: PipelineRun long has ended already: Cancelled.\n");
    }

    @Test
    void runUsesTheServerThatIsThere() {
        var hello = Checkout.ROOT.resolve("examples/hello").toString();
        var run = Program.run(
                Program.towtankCommand(withData("run", hello, "--server", "--param", "name=Jane")),
                "",
                Map.of("XDG_STATE_HOME", temp.toString()));

        assertThat(run.out()).as(run.err()).contains("[hello > greet] Hello, Jane!");
        assertThat(run.exit()).isZero();
        assertThat(kubectl.run("get", "taskruns", "-o", "jsonpath={.items[*].spec.params[*].value}"))
                .isEqualTo("Jane");
    }

    @Test
    void anyKubeconfigWillDo() {
        var outcome = Program.towtank(
                "get",
                "cm",
                "one",
                "-o",
                "name",
                "--kubeconfig",
                SERVER.kubeconfig().toString());

        assertThat(outcome.out()).isEqualTo("configmap/one\n");
    }

    @Test
    void problemsAreExplainedWithoutAStack() {
        var nobody = Program.towtank("get", "pods", "--data", temp.toString());
        assertThat(nobody.exit()).isEqualTo(1);
        assertThat(nobody.err())
                .startsWith("towtank: No server runs on " + temp)
                .contains("up --detach");

        var unknown = towtank("get", "configmap/nope");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).isEqualTo("towtank: the server says (NotFound): configmaps \"nope\" not found\n");

        assertThat(towtank("get", "confgmaps").err()).contains("Did you mean configmaps?");
        assertThat(towtank("logs").exit()).isEqualTo(2);
        assertThat(towtank("get", "pods", "-l", "a=!").err()).startsWith("towtank: the server says (BadRequest): ");
    }

    @Test
    void everyServerTellsTheTime() {
        assertThat(towtank("time").out()).matches("It is \\S+Z for the server, as for this machine\\.\n");
    }

    @Test
    void doctorFindsThisMachineFit() {
        var text = towtank("doctor");
        assertThat(text.exit()).as(text.out()).isZero();
        assertThat(text.out()).contains("✓ bwrap", "✓ namespaces", "All that is needed is there.");

        var json = JsonText.parseObject(towtank("doctor", "--output", "json").out());
        assertThat(json.flag("healthy")).isTrue();
        assertThat(json.objects("findings"))
                .anyMatch(finding -> finding.string("name").equals("python3"));
    }

    @Test
    void doctorKnowsWhatTheLauncherInstalls() {
        var packages = Pattern.compile("(?m)^packages_for_(?:up|run)=\\((.*)\\)$")
                .matcher(Checkout.read(Checkout.ROOT.resolve("packaging/launch.bash")))
                .results()
                .flatMap(list -> Stream.of(list.group(1).split(" ", -1)))
                .map(pair -> pair.substring(0, pair.indexOf(':')))
                .toList();

        var findings =
                JsonText.parseObject(towtank("doctor", "-o", "json").out()).objects("findings");

        assertThat(packages).isNotEmpty();
        assertThat(findings.stream().map(finding -> finding.string("name"))).containsAll(packages);
    }

    @Test
    void shellsUnderstandTheirCompletion() throws Exception {
        var bash = script("bash");
        assertThat(shell(
                        "bash",
                        "--norc",
                        "-c",
                        "source " + bash + "; COMP_WORDS=(towtank desc); COMP_CWORD=1; COMP_LINE='towtank desc';"
                                + " COMP_POINT=12; _towtank 2>/dev/null; echo ${COMPREPLY[@]}; complete -p towtank"))
                .startsWith("describe\n")
                .contains("-F _towtank towtank");
        var zsh = script("zsh");
        assertThat(shell(
                        "zsh",
                        "-f",
                        "-c",
                        "autoload -Uz compinit; compinit -D -u; source " + zsh + "; print $_comps[towtank]"))
                .isEqualTo("_towtank\n");
        var fish = script("fish");
        assertThat(shell("fish", "--no-config", "-c", "source " + fish + "; complete -C 'towtank get -o y'"))
                .startsWith("yaml\t");
    }

    private Path script(String shell) throws Exception {
        return Files.writeString(
                temp.resolve("completion." + shell),
                Program.towtank("completion", shell).out());
    }

    private static String shell(String... command) {
        var outcome = Program.run(List.of(command));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out();
    }
}

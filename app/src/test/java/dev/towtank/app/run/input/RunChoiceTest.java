package dev.towtank.app.run.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.input.RunRequest.WorkspaceChoice;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunChoiceTest {
    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: build}
            spec:
              params:
                - {name: version, description: what to build}
                - {name: flags, type: array, default: []}
                - {name: place, type: object, properties: {host: {}}, default: {host: here}}
              workspaces:
                - {name: source}
                - {name: cache, optional: true}
              tasks:
                - {name: compile, taskRef: {name: compile}}
            """;
    private static final String TASK = """
            apiVersion: tekton.dev/v1
            kind: Task
            metadata: {name: compile}
            spec: {steps: [{name: a, image: busybox}]}
            """;
    private static final String TASK_RUN = """
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata: {generateName: compile-}
            spec: {taskRef: {name: compile}}
            """;

    @TempDir
    Path temp;

    private List<String> params = List.of("version=1");
    private List<WorkspaceChoice> workspaces = List.of();
    private Optional<String> pipeline = Optional.empty();
    private Optional<String> task = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();
    private boolean hasOwnEngine = true;
    private List<Json.Obj> definitions = List.of();

    private RunPlan plan(String... texts) {
        var documents = new ArrayList<Document>();
        for (int i = 0; i < texts.length; i++) {
            documents.add(new Document((i + 1) + ".yaml", 1, (Json.Obj) YamlText.parse(texts[i])));
        }
        var request = new RunRequest(params, workspaces, pipeline, task, timeout, true);
        return new RunChoice(documents, request, hasOwnEngine, KnownKinds.with(documents, () -> definitions)).plan();
    }

    private List<String> problems(String... texts) {
        try {
            plan(texts);
        } catch (BadInput e) {
            return e.problems();
        }
        throw new AssertionError("no problem was found");
    }

    @Test
    void aDirectoryBesideTheFilesThatIsCalledLikeAWorkspaceIsItsContent() throws IOException {
        var source = Files.createDirectory(temp.resolve("source"));
        Files.createSymbolicLink(temp.resolve("link"), source);
        var documents = Stream.of(PIPELINE.replace("{name: cache, optional: true}", "{name: link}"), TASK)
                .map(text -> new Document(temp.resolve("all.yaml").toString(), 1, (Json.Obj) YamlText.parse(text)))
                .toList();
        var request = new RunRequest(params, workspaces, pipeline, task, timeout, true);
        var plan = new RunChoice(documents, request, true, KnownKinds.with(documents, List::of)).plan();

        assertThat(plan.notices())
                .containsExactly(
                        "Workspace source is a copy of " + source + ".",
                        "Workspace link is an empty directory; --workspace link=DIR gives another.");
        assertThat(plan.volumes().getFirst().source()).contains(source);
    }

    @Test
    void theOnlyPipelineIsRunWithoutBeingAskedFor() {
        var plan = plan(PIPELINE, TASK);

        assertThat(plan.run().json()).isEqualTo(YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {generateName: build-, namespace: default}
                spec:
                  pipelineRef: {name: build}
                  params: [{name: version, value: "1"}]
                  workspaces: [{name: source, persistentVolumeClaim: {claimName: workspace-source}}]
                """));
        assertThat(plan.objects()).hasSize(2);
        assertThat(plan.notices())
                .containsExactly("Workspace source is an empty directory; --workspace source=DIR gives another.");
        assertThat(plan.volumes())
                .containsExactly(
                        new WorkspaceVolume("source", "workspace-source", "default", Optional.empty(), false, false));
    }

    @Test
    void whatNamesNoNamespaceBelongsToThatOfTheRun() {
        params = List.of();
        var plan = plan(TASK, TASK_RUN.replace("compile-}", "compile-, namespace: team-a}"), """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings, namespace: elsewhere}
                """);

        assertThat(plan.namespace()).isEqualTo("team-a");
        assertThat(plan.objects().stream().map(object -> object.resource().namespace()))
                .containsExactly("team-a", "elsewhere");
        assertThat(plan.definition()).isPresent();

        assertThat(plan(TASK.replace("compile}", "compile, namespace: team-a}")).namespace())
                .isEqualTo("team-a");

        hasOwnEngine = false;
        assertThat(plan(TASK, TASK_RUN.replace("compile-}", "compile-, namespace: team-a}"))
                        .objects()
                        .getFirst()
                        .resource()
                        .namespace())
                .isEqualTo("default");
    }

    @Test
    void theOnlyTaskIsRun() {
        params = List.of();
        assertThat(plan(TASK).run().kind()).isEqualTo("TaskRun");
    }

    @Test
    void aRunInTheFilesIsTheOne() {
        params = List.of();
        var plan = plan(TASK, TASK_RUN);
        assertThat(plan.run().json().string("metadata", "generateName")).isEqualTo("compile-");
        assertThat(plan.objects()).hasSize(1);
    }

    @Test
    void amongSeveralOneMustBeChosen() {
        assertThat(problems(TASK, TASK_RUN, TASK_RUN))
                .first()
                .asString()
                .startsWith(
                        "The files have 2 runs, and one can be started: TaskRun compile-… (2.yaml:1), TaskRun compile-…");
        assertThat(problems(TASK, TASK.replace("compile", "other")))
                .containsExactly(
                        "The files have 2 Tasks and no run: choose one with --task. There are: compile, other.");
        params = List.of();
        task = Optional.of("other");
        assertThat(plan(TASK, TASK.replace("compile", "other")).run().json().string("spec", "taskRef", "name"))
                .isEqualTo("other");
    }

    @Test
    void whatIsChosenMustBeThere() {
        pipeline = Optional.of("deploy");
        assertThat(problems(PIPELINE, TASK)).containsExactly("The files have no Pipeline deploy. There are: build.");
        task = Optional.of("compile");
        assertThat(problems(PIPELINE, TASK)).containsExactly("--pipeline and --task: choose one of them");
    }

    @Test
    void onAServerItMayBeThereAlready() {
        hasOwnEngine = false;
        params = List.of();
        pipeline = Optional.of("deploy");
        assertThat(plan().run().json().string("spec", "pipelineRef", "name")).isEqualTo("deploy");
    }

    @Test
    void aServerMakesClaimsForWorkspaces() {
        hasOwnEngine = false;
        assertThat(plan(PIPELINE, TASK).run().json().at("spec", "workspaces")).isEqualTo(YamlText.parse("""
                - name: source
                  volumeClaimTemplate:
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """));
        workspaces = List.of(WorkspaceChoice.parse("source=."));
        assertThat(problems(PIPELINE, TASK)).first().asString().startsWith("--workspace cannot be used with --server");
    }

    @Test
    void nothingToRunIsSaid() {
        assertThat(problems("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                .containsExactly("There is nothing to run: no PipelineRun, TaskRun, Pipeline or Task, only ConfigMap x"
                        + " (1.yaml:1). Objects alone are for a server: 'towtank up --detach', then 'kubectl apply -f' them; a"
                        + " README beside or above them may say more.");
    }

    @Test
    void aTaskThatNobodyBringsIsFoundBeforeAnythingStarts() {
        assertThat(problems(PIPELINE))
                .containsExactly("1.yaml:1: its task compile is of the Task compile, which is not in the files: add the"
                        + " file that has it");
        assertThat(problems(TASK_RUN))
                .containsExactly(
                        "1.yaml:1: the run is of the Task compile, which is not in the files: add the file that"
                                + " has it");
    }

    @Test
    void whatIsMeantByAReferenceIsTold() {
        assertThat(problems(PIPELINE, TASK.replace("compile}", "compil}")))
                .containsExactly("1.yaml:1: its task compile is of the Task compile, which is not in the files. Did you"
                        + " mean compil?");
        assertThat(problems(TASK_RUN, TASK.replace("compile}", "compile, namespace: team-a}")))
                .containsExactly(
                        "1.yaml:1: the run is of the Task compile, which is in namespace team-a, and this is in"
                                + " default: write the same namespace into both, or none");
    }

    private static final String PUSHED = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: on-push, annotations: {pipelinesascode.tekton.dev/on-event: "[push]"}}
            spec:
              params: [{name: commit, value: "{{ revision }}"}]
              pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{image: busybox, script: "echo {{ .Id }}"}]}}]}
            """;

    @Test
    void whatPipelinesAsCodeFillsInIsLeftToIt() {
        params = List.of();
        assertThat(problems(PUSHED))
                .containsExactly("1.yaml:1: {{ revision }} is for Pipelines-as-Code to fill in: 'towtank pac run' runs"
                        + " what is for a push, and 'towtank pac run --event pull_request' what is for a pull request");
        assertThat(plan(PUSHED.replace("{{ revision }}", "0123")).run().name()).isEqualTo("on-push");
        assertThat(problems(PUSHED, PUSHED.replace("on-push", "on-pull")))
                .containsExactly("The files have 2 runs, and one can be started: PipelineRun on-push (1.yaml:1),"
                        + " PipelineRun on-pull (2.yaml:1). Give the file of one of them. Where they are for"
                        + " Pipelines-as-Code, 'towtank pac run' runs what is for a push, and 'towtank pac run --event"
                        + " pull_request' what is for a pull request.");
        task = Optional.of("compile");
        assertThat(plan(PUSHED, TASK).run().kind()).isEqualTo("TaskRun");
        task = Optional.empty();
        pipeline = Optional.of("on-push");
        assertThat(problems(PUSHED, TASK))
                .containsExactly(
                        "The files have no Pipeline on-push. There is a PipelineRun of that name: give its file"
                                + " alone, 1.yaml.");
    }

    @Test
    void anotherVersionOfAKindIsTold() {
        assertThat(problems(TASK.replace("tekton.dev/v1", "tekton.dev/v2")))
                .containsExactly("1.yaml:1: nothing here knows the kind Task of tekton.dev/v2. Did you mean apiVersion:"
                        + " tekton.dev/v1?");
    }

    @Test
    void aKindThatNobodyKnowsIsRefused() {
        assertThat(problems(TASK, "{apiVersion: example.com/v1, kind: Thing, metadata: {name: x}}"))
                .containsExactly("2.yaml:1: nothing here knows the kind Thing of example.com/v1: add its"
                        + " CustomResourceDefinition to the files, or leave it out");
    }

    @Test
    void aMisspeltKindIsToldWithWhatIsMeant() {
        assertThat(problems("{apiVersion: tekton.dev/v1, kind: Taks, metadata: {name: x}}"))
                .containsExactly("1.yaml:1: nothing here knows the kind Taks of tekton.dev/v1. Did you mean Task?");
    }

    @Test
    void aKindOfAFeatureIsKnown() {
        definitions = List.of((Json.Obj) YamlText.parse("""
                kind: CustomResourceDefinition
                spec:
                  group: example.com
                  scope: Cluster
                  names: {kind: Thing, plural: things}
                  versions: [{name: v1, served: true}]
                """));
        var plan = plan(PIPELINE, TASK, "{apiVersion: example.com/v1, kind: Thing, metadata: {name: x}}");
        assertThat(plan.objects().getLast().json().string("metadata", "namespace"))
                .isEmpty();
        assertThat(problems(PIPELINE, TASK, "{apiVersion: example.com/v2, kind: Thing, metadata: {name: x}}"))
                .hasSize(1);
    }

    @Test
    void paramsTakeTheDeclaredType() {
        params = List.of("version=1=2", "flags=-a,-b", "place=host:there");
        assertThat(plan(PIPELINE, TASK).run().json().at("spec", "params")).isEqualTo(YamlText.parse("""
                [{name: version, value: "1=2"}, {name: flags, value: [-a, -b]}, {name: place, value: {host: there}}]"""));
        params = List.of("version=1", "flags=[\"a,b\"]", "place={\"host\": \"x:y\"}");
        assertThat(plan(PIPELINE, TASK).run().json().at("spec", "params")).isEqualTo(YamlText.parse("""
                [{name: version, value: "1"}, {name: flags, value: ["a,b"]}, {name: place, value: {host: "x:y"}}]"""));
    }

    @Test
    void wrongParamsAreAllTold() {
        params = List.of("flags=a", "flags=b", "colour=red", "novalue", "place=here");
        assertThat(problems(PIPELINE, TASK))
                .containsExactlyInAnyOrder(
                        "--param flags is given twice: give it once",
                        "--param novalue: expected name=value",
                        "--param colour: there is no such param. There are: version, flags, place.",
                        "--param place: \"here\" is no KEY:VALUE, and the param is an object",
                        "param version has no value: give one with --param version=VALUE  (what to build)");
    }

    @Test
    void paramsOfTheRunMayBeReplaced() {
        params = List.of("version=2");
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: mine}
                spec:
                  pipelineRef: {name: build}
                  params: [{name: version, value: "1"}]
                """;
        assertThat(plan(PIPELINE, TASK, run).run().json().at("spec", "params"))
                .isEqualTo(YamlText.parse("[{name: version, value: \"2\"}]"));
    }

    @Test
    void aTimeoutIsThatOfTheWholeRun() {
        timeout = Optional.of(Duration.ofSeconds(90));
        assertThat(plan(PIPELINE, TASK).run().json().string("spec", "timeouts", "pipeline"))
                .isEqualTo("1m30s");
        params = List.of();
        assertThat(plan(TASK).run().json().string("spec", "timeout")).isEqualTo("1m30s");
    }

    @Test
    void aDirectoryBecomesAWorkspace() throws IOException {
        var directory = Files.createDirectory(temp.resolve("code"));
        workspaces =
                List.of(WorkspaceChoice.parse("source=" + directory), WorkspaceChoice.parse("cache=" + temp + ":rw"));
        var plan = plan(PIPELINE, TASK);
        assertThat(plan.notices()).isEmpty();
        assertThat(plan.volumes())
                .containsExactly(
                        new WorkspaceVolume(
                                "source", "workspace-source", "default", Optional.of(directory), false, false),
                        new WorkspaceVolume("cache", "workspace-cache", "default", Optional.of(temp), true, false));
    }

    @Test
    void wrongWorkspacesAreTold() throws IOException {
        var file = Files.createFile(temp.resolve("file"));
        workspaces = List.of(
                WorkspaceChoice.parse("source=" + temp.resolve("nope")),
                WorkspaceChoice.parse("cache=" + file),
                WorkspaceChoice.parse("cache=" + temp),
                WorkspaceChoice.parse("other=" + temp));
        assertThat(problems(PIPELINE, TASK))
                .containsExactly(
                        "--workspace source=" + temp.resolve("nope") + ": there is no such directory",
                        "--workspace cache=" + file + ": this is no directory",
                        "--workspace cache is given twice: give it once",
                        "--workspace other: there is no such workspace. There are: source, cache.");
    }

    @Test
    void aClaimThatTheRunWouldMakeIsADirectoryThatCanBeKept() {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: mine, namespace: ci}
                spec:
                  pipelineSpec:
                    workspaces: [{name: source}, {name: config}]
                    tasks: [{name: a, taskSpec: {steps: [{name: a, image: busybox}]}}]
                  workspaces:
                    - {name: source, subPath: x, volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}
                    - {name: config, configMap: {name: config}}
                """;
        params = List.of();
        assertThat(plan(run).run().json().at("spec", "workspaces")).isEqualTo(YamlText.parse("""
                - {name: source, subPath: x, persistentVolumeClaim: {claimName: workspace-source}}
                - {name: config, configMap: {name: config}}
                """));
    }
}

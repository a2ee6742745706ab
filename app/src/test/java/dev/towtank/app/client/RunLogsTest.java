package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunLogsTest {
    private static final String RUNS = "/apis/tekton.dev/v1/namespaces/shop/";
    private static final String PODS = "/api/v1/namespaces/shop/pods/";

    private FakeApi api;

    @BeforeEach
    void start() throws Exception {
        api = new FakeApi()
                .with(RUNS + "pipelineruns/build", """
                    metadata: {name: build}
                    status:
                      childReferences: [{name: build-compile}, {name: build-unit-0}]
                      conditions: [{type: Succeeded, status: "True", reason: Succeeded}]
                    """)
                .with(RUNS + "taskruns", """
                    items:
                    - metadata: {name: build-unit-0, labels: {tekton.dev/pipelineTask: unit}}
                      status: {startTime: "2026-03-01T10:00:09Z", podName: unit-pod}
                    - metadata: {name: build-compile, labels: {tekton.dev/pipelineTask: compile}}
                      status:
                        startTime: "2026-03-01T10:00:05Z"
                        podName: compile-pod-retry1
                        retriesStatus: [{podName: compile-pod, startTime: "2026-03-01T10:00:01Z"}]
                    """)
                .with(PODS + "unit-pod", "{spec: {containers: [{name: step-test}, {name: sidecar-db}]}}")
                .with(PODS + "compile-pod", "{spec: {containers: [{name: step-get}]}}")
                .with(PODS + "compile-pod-retry1", "{spec: {containers: [{name: step-get}, {name: step-make}]}}")
                .withText(PODS + "unit-pod/log?container=step-test", "ok ✓\n")
                .withText(PODS + "unit-pod/log?container=sidecar-db", "listening\n")
                .withText(PODS + "compile-pod/log?container=step-get", "no network\n")
                .withText(PODS + "compile-pod-retry1/log?container=step-get", "got it\n")
                .withText(PODS + "compile-pod-retry1/log?container=step-make", "one\ntwo");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private String logs(String word, boolean all, String... steps) throws InterruptedException {
        try (var client = api.client()) {
            var options = new RunLogs.Options("shop", false, List.of(steps), all, -1);
            new RunLogs(client, options, api.out(), api.err()).show(word);
            return api.printed();
        }
    }

    @Test
    void showsStepAfterStepInTheOrderOfTasks() throws Exception {
        assertThat(logs("build", false)).isEqualTo("""
            [compile : get] got it

            [compile : make] one
            [compile : make] two

            [unit-0 : test] ok ✓

            [unit-0 : sidecar-db] listening

            """);
    }

    @Test
    void showsAlsoEarlierAttemptsWhenAsked() throws Exception {
        assertThat(logs("pr/build", true))
                .startsWith("[compile attempt 1 : get] no network\n")
                .endsWith("[unit-0 : sidecar-db] listening\n\n");
    }

    @Test
    void showsOnlyAStep() throws Exception {
        assertThat(logs("build", false, "make")).isEqualTo("""
            [compile : make] one
            [compile : make] two

            """);
    }

    @Test
    void aPodWithOneContainerIsShownAsItIs() throws Exception {
        api.with(PODS + "web", "{metadata: {name: web}, spec: {containers: [{name: main}]}}")
                .withText(PODS + "web/log?container=main", "no line end");

        assertThat(logs("web", false)).isEqualTo("no line end");
    }

    @Test
    void saysWhyARunHasNoLog() throws Exception {
        api.with(RUNS + "taskruns/bad", """
            metadata: {name: bad}
            status: {conditions: [{type: Succeeded, status: "False", reason: CouldntGetTask, message: no task x}]}
            """);

        logs("tr/bad", false);

        assertThat(api.complained()).isEqualTo("towtank: TaskRun bad has no log: CouldntGetTask: no task x.\n");
    }

    @Test
    void saysWhereItLooked() {
        assertThatThrownBy(() -> logs("nope", false))
                .hasMessage("There is no PipelineRun or TaskRun or Pod \"nope\" in namespace shop."
                        + " 'towtank get pipelineruns -A' lists those that there are.");
        assertThatThrownBy(() -> logs("job/x", false)).hasMessageContaining("pipelinerun, taskrun, pod");
    }
}

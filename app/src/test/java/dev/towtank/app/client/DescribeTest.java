package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescribeTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:01:00Z");

    private static final String RUN = """
        apiVersion: tekton.dev/v1
        kind: PipelineRun
        metadata: {name: build, namespace: shop, uid: u1, creationTimestamp: "2026-03-01T10:00:00Z"}
        spec:
          params: [{name: who, value: "me\\e[2J"}, {name: list, value: [a, b]}]
        status:
          startTime: "2026-03-01T10:00:00Z"
          completionTime: "2026-03-01T10:00:12Z"
          conditions: [{type: Succeeded, status: "False", reason: Failed, message: "Tasks Completed: 1"}]
          results: [{name: digest, value: "sha256:1"}]
          childReferences: [{kind: TaskRun, name: build-unit-1}]
          skippedTasks: [{name: deploy, reason: When Expressions evaluated to false}]
        """;

    private static final String CHILDREN = """
        items:
        - metadata: {name: build-unit-1, labels: {tekton.dev/pipelineTask: unit}}
          status:
            startTime: "2026-03-01T10:00:01Z"
            completionTime: "2026-03-01T10:00:10Z"
            conditions: [{type: Succeeded, status: "False", reason: StepFailed}]
            retriesStatus: [{podName: x}]
        """;

    private static final String EVENTS = """
        items:
        - {type: Warning, reason: Failed, message: "it failed", count: 3, lastTimestamp: "2026-03-01T10:00:12Z",
           source: {component: controller}}
        - {type: Normal, reason: Started, message: "", lastTimestamp: "2026-03-01T10:00:00Z",
           source: {component: controller}}
        """;

    @TempDir
    Path runs;

    private String describe(FakeApi api, String... words) throws IOException {
        try (var client = api.client()) {
            new Describe(client, new RunHistory(runs), InstantSource.fixed(NOW), api.out(), api.err())
                    .show(List.of(words), "shop", "");
            return api.printed();
        }
    }

    @Test
    void tellsOfAPipelineRunWhatMattersFirst() throws Exception {
        try (var api = new FakeApi().withKinds()) {
            api.with("/apis/tekton.dev/v1/namespaces/shop/pipelineruns/build", RUN)
                    .with("/apis/tekton.dev/v1/namespaces/shop/taskruns", CHILDREN)
                    .with("/api/v1/namespaces/shop/events", EVENTS);

            assertThat(describe(api, "pr/build")).isEqualTo("""
                Name:        build
                Namespace:   shop
                Kind:        PipelineRun (tekton.dev/v1)
                Created:     2026-03-01T10:00:00Z (60s ago)
                Status:      Failed
                Message:     Tasks Completed: 1
                Started:     2026-03-01T10:00:00Z (60s ago)
                Duration:    12s

                Params
                  who:    me^[2J
                  list:   ["a","b"]

                Results
                  digest:   sha256:1

                Tasks
                  TASK     TASKRUN        STATUS       STARTED   TIME   RETRIES
                  unit-1   build-unit-1   StepFailed   59s ago   9s     1

                Skipped tasks
                  deploy:   When Expressions evaluated to false

                Events
                  TYPE      REASON    AGE        FROM         MESSAGE
                  Normal    Started   60s        controller
                  Warning   Failed    48s (x3)   controller   it failed
                """);
        }
    }

    @Test
    void tellsTimesAsRunSawThem() throws Exception {
        var directory = new RunHistory(runs).begin("build");
        var summary = (Json.Obj) YamlText.parse("""
            started: "2026-03-01T10:00:00.2Z"
            finished: "2026-03-01T10:00:12.4Z"
            times: {build-unit-1: {started: "2026-03-01T10:00:01.3Z", finished: "2026-03-01T10:00:01.8Z"}}
            """);
        var run = Resource.of((Json.Obj) YamlText.parse(RUN));
        directory.write(new RunRecord("build", summary, run, List.of(), List.of(), List.of()));
        try (var api = new FakeApi().withKinds()) {
            api.with("/apis/tekton.dev/v1/namespaces/shop/pipelineruns/build", RUN)
                    .with(
                            "/apis/tekton.dev/v1/namespaces/shop/taskruns",
                            CHILDREN.replaceFirst("\n.*retriesStatus.*", ""))
                    .with("/api/v1/namespaces/shop/events", "{items: []}");

            assertThat(describe(api, "pr/build"))
                    .contains("Started:     2026-03-01T10:00:00Z (59s ago)", "StepFailed   58s ago   0.5s   0");
        }
    }

    @Test
    void eventsOfOneSecondComeAsTheyWereWritten() throws Exception {
        try (var api = new FakeApi().withKinds()) {
            api.with("/api/v1/namespaces/shop/pods/web", "{metadata: {name: web, namespace: shop}}")
                    .with("/api/v1/namespaces/shop/events", """
                items:
                - {reason: Third, eventTime: "2026-03-01T10:00:10.700000Z", metadata: {resourceVersion: "11"}}
                - {reason: Fourth, lastTimestamp: "2026-03-01T10:00:11Z", metadata: {resourceVersion: "3"}}
                - {reason: Second, lastTimestamp: "2026-03-01T10:00:10Z", metadata: {resourceVersion: "10"}}
                - {reason: First, lastTimestamp: "2026-03-01T10:00:10Z", metadata: {resourceVersion: "9"}}
                """);

            assertThat(describe(api, "pod", "web")).containsSubsequence("First", "Second", "Third", "Fourth");
        }
    }

    @Test
    void tellsOfAPodItsContainers() throws Exception {
        try (var api = new FakeApi().withKinds()) {
            api.with("/api/v1/namespaces/shop/pods/web", """
                metadata: {name: web, namespace: shop}
                spec:
                  containers: [{name: main, image: nginx}, {name: side, image: busybox}]
                  volumes: [{name: keys, secret: {secretName: tls}}]
                status:
                  phase: Running
                  conditions: [{type: Ready, status: "False", reason: ContainersNotReady}]
                  containerStatuses:
                  - {name: main, ready: true, restartCount: 2,
                     state: {running: {startedAt: "2026-03-01T10:00:00Z"}}}
                  - {name: side, state: {waiting: {reason: ErrImagePull}}}
                """).with("/api/v1/namespaces/shop/events", "{items: []}");

            assertThat(describe(api, "pod", "web")).contains("""
                Containers
                  NAME   IMAGE     STATE                   READY   RESTARTS   TIME
                  main   nginx     Running                 yes     2          60s
                  side   busybox   Waiting: ErrImagePull   no      0

                Conditions
                  TYPE    STATUS   REASON               MESSAGE
                  Ready   False    ContainersNotReady

                Volumes
                  keys:   secret tls

                Events
                  none
                """);
        }
    }

    @Test
    void neverShowsWhatASecretHolds() throws Exception {
        try (var api = new FakeApi().withKinds()) {
            api.with("/api/v1/namespaces/shop/secrets/key", """
                {metadata: {name: key, namespace: shop}, type: Opaque, data: {password: aHVudGVyMg==}}
                """).with("/api/v1/namespaces/shop/events", "{items: []}");

            assertThat(describe(api, "secret/key"))
                    .contains("password:   7 bytes")
                    .doesNotContain("aHVudGVyMg", "hunter2");
        }
    }

    @Test
    void showsTheRestOfAnyOtherObject() throws Exception {
        try (var api = new FakeApi().withKinds()) {
            api.with("/apis/apps/v1/namespaces/shop/deployments/web", """
                {metadata: {name: web, namespace: shop}, spec: {replicas: 2}, status: {}}
                """)
                    .with("/api/v1/namespaces/shop/events", "{items: []}");

            assertThat(describe(api, "deploy/web"))
                    .contains("\nSpec\n  replicas: 2\n")
                    .doesNotContain("Status");
        }
    }
}

package dev.towtank.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TowtankTest {
    private static final String WIDGETS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties: {size: {type: integer, maximum: 10, default: 3}, colour: {type: string}}
        """;

    @Towtank
    static Cluster ofTheClass;

    @Towtank
    Cluster ofTheTest;

    @Towtank
    Path kubeconfig;

    private String ofTheSetup = "";

    @BeforeAll
    static void beforeAll(@Towtank Cluster cluster) {
        assertThat(cluster).isSameAs(ofTheClass);
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: shared}}");
    }

    @BeforeEach
    void beforeEach(@Towtank Cluster cluster) {
        ofTheSetup = cluster.toString();
    }

    @RepeatedTest(3)
    void everyTestHasAClusterOfItsOwn(@Towtank Cluster cluster) {
        assertThat(cluster.find("configmap", "mine")).isEmpty();

        cluster.create("{apiVersion: v1, kind: ConfigMap, metadata: {name: mine}}");

        assertThat(cluster.get("cm", "mine").namespace()).isEqualTo("default");
    }

    @Test
    void allThatATestGetsIsOfOneCluster(@Towtank Cluster cluster, @Towtank String text) throws Exception {
        assertThat(cluster).isSameAs(ofTheTest).hasToString(ofTheSetup).isNotSameAs(ofTheClass);
        assertThat(kubeconfig).isEqualTo(cluster.kubeconfig());
        assertThat(Files.readString(kubeconfig))
                .isEqualTo(text)
                .contains(cluster.address().toString());
    }

    @Test
    void theClassHasOneForAllItsTests() {
        assertThat(ofTheClass.get("configmap", "shared").name()).isEqualTo("shared");
        assertThat(ofTheTest.find("configmap", "shared")).isEmpty();
    }

    @Test
    void aDefinitionAndServerSideApplyWork(@Towtank Cluster cluster) {
        cluster.apply(WIDGETS);
        cluster.apply("""
            {apiVersion: example.com/v1, kind: Widget, metadata: {name: one}, spec: {colour: red}}
            """);

        var widget = cluster.get("wd", "one");

        assertThat(widget.spec().integer("size")).isEqualTo(3);
        assertThat(widget.metadata().objects("managedFields"))
                .extracting(entry -> entry.string("operation") + " by " + entry.string("manager"))
                .containsExactly("Apply by towtank-junit");
        assertThatThrownBy(() -> cluster.apply("""
            {apiVersion: example.com/v1, kind: Widget, metadata: {name: big}, spec: {size: 11}}
            """))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("should be less than or equal to 10");
        assertThat(cluster.list("widgets")).hasSize(1);
    }

    @Test
    void waitsForConditions(@Towtank Cluster cluster) {
        var definition = cluster.apply(WIDGETS).getFirst();

        cluster.await(definition).hasCondition("Established");

        assertThatThrownBy(() ->
                        cluster.await(definition).within(Duration.ofMillis(10)).hasCondition("Terminating"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "\"widgets.example.com\" has no condition Terminating=True, after 0.01 s. It is ");
    }

    @Test
    void waitsForTheEndOfAnObject(@Towtank Cluster cluster) {
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}");
        assertThatThrownBy(() ->
                        cluster.await("cm", "one").within(Duration.ofMillis(10)).isGone())
                .hasMessageContaining("is still there");

        cluster.delete("cm", "one");

        cluster.await("cm", "one").isGone();
    }

    @Test
    void waitsForAnObjectToCome(@Towtank Cluster cluster) {
        assertThatThrownBy(() ->
                        cluster.await("cm", "one").within(Duration.ofMillis(10)).hasCondition("Ready"))
                .hasMessage("there is no cm \"one\", after 0.01 s");

        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}");
        var second = cluster.await("cm", "one").is(object -> {
            if (object.json().object("data").isEmpty()) { // while this waits, it goes, and comes again
                cluster.delete("cm", "one");
                cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {number: two}}");
                return false;
            }
            return true;
        });

        assertThat(second.json().string("data", "number")).isEqualTo("two");
    }

    @Test
    void aDefinitionOfOneTestIsUnknownToAnother(@Towtank Cluster cluster) {
        assertThatThrownBy(() -> cluster.list("widgets")).hasMessageContaining("has no kind \"widgets\"");
    }

    @Test
    void aPodRuns(@Towtank Cluster cluster) {
        assertThat(cluster.runsPods()).isTrue();
        cluster.create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: hello}
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox, command: [echo, hello]}]
            """);

        cluster.await("pod", "hello", pod -> pod.status().string("phase").equals("Succeeded"));

        assertThat(cluster.log("hello")).isEqualTo("hello\n");
    }

    @Test
    void aTaskRunSucceeds(@Towtank Cluster cluster) {
        assertThat(cluster).isSameAs(ofTheTest);
        cluster.create("""
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata: {name: hello}
            spec:
              taskSpec:
                results: [{name: greeting}]
                steps: [{name: greet, image: busybox, script: printf hello > $(results.greeting.path)}]
            """);

        var run = cluster.await("taskrun", "hello", TowtankTest::isDone);

        assertThat(run.status().objects("conditions"))
                .extracting(condition -> condition.string("type") + " " + condition.string("status"))
                .containsExactly("Succeeded True");
        assertThat(run.status().objects("results"))
                .extracting(result -> result.string("value"))
                .containsExactly("hello");
    }

    @Test
    void aPipelineRunPassesResultsOn(@Towtank Cluster cluster) {
        cluster.apply("""
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: greet}
            spec:
              results: [{name: said, value: $(tasks.say.results.said)}]
              tasks:
              - name: choose
                taskSpec:
                  results: [{name: word}]
                  steps: [{name: a, image: busybox, script: printf moin > $(results.word.path)}]
              - name: say
                params: [{name: word, value: $(tasks.choose.results.word)}]
                taskSpec:
                  params: [{name: word}]
                  results: [{name: said}]
                  steps: [{name: a, image: busybox, script: printf "$(params.word)!" > $(results.said.path)}]
            ---
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: greet}
            spec: {pipelineRef: {name: greet}}
            """);

        var run = cluster.await("pipelinerun", "greet", TowtankTest::isDone);

        assertThat(run.status().objects("results"))
                .extracting(result -> result.string("value"))
                .containsExactly("moin!");
    }

    private static boolean isDone(Resource run) {
        return run.status().objects("conditions").stream()
                .anyMatch(condition -> !condition.string("status").equals("Unknown"));
    }

    @Test
    void tektonRefusesWhatItWouldRefuse(@Towtank Cluster cluster) {
        assertThatThrownBy(() -> cluster.apply("""
            {apiVersion: tekton.dev/v1, kind: Task, metadata: {name: empty}, spec: {steps: []}}
            """))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("missing field(s): spec.steps");
    }

    @Test
    void whatIsDeletedIsGone(@Towtank Cluster cluster) {
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: short-lived}}");
        cluster.delete("configmap", "short-lived");
        cluster.delete("configmap", "short-lived");

        assertThat(cluster.find("configmap", "short-lived")).isEmpty();
        assertThatThrownBy(() -> cluster.get("configmap", "short-lived")).hasMessageContaining("there is no configmap");
    }

    @Test
    void anotherClientFindsItByTheKubeconfig(@Towtank Path file, @Towtank Cluster cluster) {
        var config = Config.fromKubeconfig(file.toFile());
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            client.configMaps()
                    .inNamespace("default")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("theirs")
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }

        assertThat(cluster.get("configmap", "theirs").name()).isEqualTo("theirs");
    }

    @Nested
    class InANestedClass {
        @Towtank
        Cluster inner;

        @Test
        void fieldsOfBothAreFilled() {
            assertThat(inner).isSameAs(ofTheTest);
        }
    }
}

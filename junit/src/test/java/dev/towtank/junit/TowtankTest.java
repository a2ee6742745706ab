package dev.towtank.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.StatusError;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
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

package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// `kubectl apply --server-side`, with its conflicts, on built-in and custom kinds.
@ParameterizedClass
@MethodSource("binaries")
class ServerSideApplyIT {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {team: sea}}
            spec:
              replicas: %d
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: web, image: "nginx:1"}]}
            """;

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: ropes.sea.example.com}
            spec:
              group: sea.example.com
              scope: Namespaced
              names: {plural: ropes, kind: Rope}
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
                        properties:
                          length: {type: integer}
                          knots:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [name]
                            items:
                              type: object
                              required: [name]
                              properties: {name: {type: string}, size: {type: integer}}
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Parameter
    Path binary;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeEach
    void freshNamespace() {
        kubectl = SERVER.inNewNamespace(binary);
    }

    private String apply(String yaml, String... more) {
        var arguments = new ArrayList<>(List.of("apply", "--server-side", "-f", "-"));
        arguments.addAll(List.of(more));
        return kubectl.withInput(yaml, arguments.toArray(String[]::new));
    }

    private Program.Outcome refused(String yaml, String... more) {
        var arguments = new ArrayList<>(List.of("apply", "--server-side", "-f", "-"));
        arguments.addAll(List.of(more));
        var outcome = kubectl.attempt(yaml, Map.of(), arguments.toArray(String[]::new));
        assertThat(outcome.exit()).isNotZero();
        return outcome;
    }

    @Test
    void appliesCreatesAndLeavesAlone() {
        assertThat(apply(DEPLOYMENT.formatted(1))).contains("deployment.apps/web serverside-applied");
        String before;
        String after;
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        // Until controllers have no more to write into it.
        do {
            before = revision();
            apply(DEPLOYMENT.formatted(1));
            after = revision();
        } while (!after.equals(before) && System.nanoTime() < end);

        assertThat(after).isEqualTo(before);
    }

    private String revision() {
        return kubectl.run("get", "deploy", "web", "-o", "jsonpath={.metadata.resourceVersion}");
    }

    @Test
    void aConflictIsToldAndCanBeForced() {
        apply(DEPLOYMENT.formatted(1));
        kubectl.run("scale", "deploy", "web", "--replicas=4");

        var outcome = refused(DEPLOYMENT.formatted(2));
        assertThat(outcome.err())
                .contains("conflict")
                .contains(".spec.replicas")
                .contains("--force-conflicts");

        apply(DEPLOYMENT.formatted(2), "--force-conflicts");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
    }

    @Test
    void twoManagersShareAnObject() {
        apply(DEPLOYMENT.formatted(1));
        apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, annotations: {mesh: "on"}}
                spec: {template: {spec: {containers: [{name: proxy, image: "envoy:1"}]}}}
                """, "--field-manager=mesh", "--validate=false");

        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.template.spec.containers[*].name}"))
                .isEqualTo("web proxy");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.metadata.managedFields[*].manager}"))
                .contains("mesh", "kubectl");
    }

    @Test
    void takesOverFromAnEarlierClientSideApply() {
        kubectl.withInput(DEPLOYMENT.formatted(1), "apply", "-f", "-");
        apply(DEPLOYMENT.formatted(3));

        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("3");
    }

    @Test
    void mergesListsOfCustomResourcesByTheirKeys() {
        kubectl.withInput(DEFINITION, "apply", "-f", "-");
        apply("---\n{apiVersion: sea.example.com/v1, kind: Rope, metadata: {name: main}, spec: {knots: [{name: a}]}}");
        apply(
                "---\n{apiVersion: sea.example.com/v1, kind: Rope, metadata: {name: main}, spec: {knots: [{name: b}]}}",
                "--field-manager=second");
        assertThat(kubectl.run("get", "rope", "main", "-o", "jsonpath={.spec.knots[*].name}"))
                .isEqualTo("a b");

        var outcome = refused(
                "---\n{apiVersion: sea.example.com/v1, kind: Rope, metadata: {name: main}, spec: {colour: red}}",
                "--validate=false");
        assertThat(outcome.err()).contains(".spec.colour: field not declared in schema");
    }
}

package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PruningTest {

    private static final Schema.Type POD = Schemas.builtin().find("v1", "Pod").orElseThrow();

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    @Test
    void dropsAndTellsUnknownFields() {
        var told = new ArrayList<String>();
        var pruned = Pruning.prune(yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web, Name: x, labels: {any: thing}}
                extra: 1
                spec:
                  containers:
                  - {name: a, image: b, foo: {bar: 1}}
                  - {name: c, env: [{name: X, value: w, vaule: z}]}
                  volumes:
                  - {name: v, emptyDir: {}, volumeSource: {}}
                """), POD, told::add);
        assertThat(told)
                .containsExactly(
                        "metadata.Name",
                        "extra",
                        "spec.containers[0].foo",
                        "spec.containers[1].env[0].vaule",
                        "spec.volumes[0].volumeSource");
        assertThat(pruned).isEqualTo(yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {any: thing}}
                spec:
                  containers:
                  - {name: a, image: b}
                  - {name: c, env: [{name: X, value: w}]}
                  volumes:
                  - {name: v, emptyDir: {}}
                """));
    }

    @Test
    void dropsWithoutAWordWhatBelongsToAFeatureThatIsOff() {
        var told = new ArrayList<String>();

        var pruned = Pruning.prune(yaml("""
                apiVersion: v1
                kind: Pod
                spec: {hostname: web, workloadRef: {name: training, podGroup: workers}}
                """), POD, told::add);

        assertThat(told).isEmpty();
        assertThat(pruned.object("spec")).isEqualTo(yaml("{hostname: web}"));
        assertThatThrownBy(() -> Pruning.prune(yaml("{spec: {workloadRef: training}}"), POD, _ -> {}))
                .isInstanceOf(Pruning.Mismatch.class);
    }

    @Test
    void doesNotKnowFieldsOfLaterReleases() {
        var told = new ArrayList<String>();

        var _ = Pruning.prune(yaml("{spec: {schedulingGroup: {podGroupName: a}}}"), POD, told::add);

        assertThat(told).containsExactly("spec.schedulingGroup");
    }

    @Test
    void returnsTheSameObjectWhereNothingChanges() {
        var clean = yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {a: b}, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  containers:
                  - name: a
                    resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {}}
                    livenessProbe: {httpGet: {port: 80}, periodSeconds: 3}
                    securityContext: {runAsNonRoot: false, runAsUser: 0}
                """).without(java.util.List.of("spec", "none"));
        var first = Pruning.prune(clean, POD, _ -> {});
        assertThat(Pruning.prune(first, POD, _ -> {})).isSameAs(first);
        assertThat(first.toString())
                .contains("\"runAsUser\":0", "\"runAsNonRoot\":false")
                .doesNotContain("limits");
    }

    @Test
    void leavesOutNullsAndEmptyValuesAndWritesScalarsCanonically() {
        var pruned = Pruning.prune(yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web, creationTimestamp: null, labels: {a: null}, annotations: {}, finalizers: []}
                spec:
                  nodeName: ""
                  hostNetwork: false
                  securityContext: {}
                  containers:
                  - name: a
                    resources: {limits: {cpu: 1, memory: 1024Mi}, requests: {cpu: "0.5"}}
                    lastTerminationState: null
                status:
                  startTime: "2026-01-01T01:00:00.5+01:00"
                """), POD, _ -> {});
        assertThat(pruned).isEqualTo(yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {a: ""}}
                spec:
                  securityContext: {}
                  containers:
                  - name: a
                    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: 500m}}
                status:
                  startTime: "2026-01-01T00:00:00Z"
                """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {spec: {containers: x}}                     | json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container
            {metadata: {labels: x}}                     | json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string
            {metadata: {labels: {a: 1}}}                | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string
            {metadata: {name: 5}}                       | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string
            {spec: []}                                  | json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec
            {spec: {containers: [{stdin: "yes"}]}}      | json: cannot unmarshal string into Go struct field Container.spec.containers.stdin of type bool
            {spec: {priority: 1.5}}                     | json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32
            {spec: {priority: 3000000000}}              | json: cannot unmarshal number 3000000000 into Go struct field PodSpec.spec.priority of type int32
            {spec: {containers: [{ports: [{protocol: 1}]}]}} | json: cannot unmarshal number into Go struct field ContainerPort.spec.containers.ports.protocol of type v1.Protocol
            {spec: {overhead: {cpu: lots}}}             | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            {status: {startTime: today}}                | parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"
            """)
    void refusesWrongTypesInGosWords(String yaml, String message) {
        assertThatThrownBy(() -> Pruning.prune(yaml(yaml), POD, _ -> {}))
                .isInstanceOf(Pruning.Mismatch.class)
                .hasMessage(message);
    }

    @Test
    void aWrongTypeInABodyIsABadRequest() {
        var type = Schemas.builtin().find("apps/v1", "Deployment").orElseThrow();
        assertThatThrownBy(() -> Pruning.decode(yaml("""
                        apiVersion: apps/v1
                        kind: Deployment
                        spec: {replicas: many}
                        """), type, _ -> {}))
                .isInstanceOf(StatusError.class)
                .hasMessage("Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal"
                        + " string into Go struct field DeploymentSpec.spec.replicas of type int32");
    }

    @Test
    void checksBase64() {
        var secret = Schemas.builtin().find("v1", "Secret").orElseThrow();
        assertThatThrownBy(() -> Pruning.prune(yaml("{data: {a: 'not base64'}}"), secret, _ -> {}))
                .hasMessage("illegal base64 data at input byte 3");
        assertThat(Pruning.prune(yaml("{data: {a: \"aGVs\\nbG8=\"}}"), secret, _ -> {}))
                .isEqualTo(yaml("{data: {a: aGVsbG8=}}"));
    }

    @Test
    void schemasOfCustomResourcesMayHoldBooleansAndLists() {
        var crd = Schemas.builtin()
                .find("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                .orElseThrow();
        var told = new ArrayList<String>();
        var object = yaml("""
                spec:
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          a: {type: array, items: {type: string}, default: [1, {x: null}]}
                          b: {additionalProperties: true}
                          c: {additionalProperties: {type: string, minimum: 5}}
                          d: {x-kubernetes-preserve-unknown-fields: true, enum: [1, a, null]}
                """);
        assertThat(Pruning.prune(object, crd, told::add)).isEqualTo(object);
        assertThat(told).isEmpty();
    }

    @Test
    void unknownFieldsBelowTheItemsOfASchemaGoWithoutAWord() {
        var crd = Schemas.builtin()
                .find("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                .orElseThrow();
        var told = new ArrayList<String>();
        var schema = "{spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {%s}}}}}]}}";
        var pruned = Pruning.prune(
                yaml(schema.formatted("items: {type: string, b: 1}, additionalProperties: {c: 2}, d: 3")),
                crd,
                told::add);

        assertThat(pruned).isEqualTo(yaml(schema.formatted("items: {type: string}, additionalProperties: {}")));
        assertThat(told).containsExactly("spec.versions[0].schema.openAPIV3Schema.properties.a.d");
    }
}

package dev.towtank.model.apply;

import static dev.towtank.model.apply.Scene.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuiltinShapesTest {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {app: web}}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - name: web
                    image: nginx
                    command: [a, b]
                    resources: {}
                    ports: [{containerPort: 80, protocol: TCP}]
                  nodeSelector: {zone: a}
            """;

    @Test
    void ownsWhatAnUpdateOfADeploymentOwns() {
        var scene = Scene.builtin("apps/v1", "Deployment").update("kubectl-create", DEPLOYMENT);
        assertThat(yaml(scene.fields("kubectl-create"))).isEqualTo(yaml("""
                "f:metadata": {"f:labels": {".": {}, "f:app": {}}}
                "f:spec":
                  "f:replicas": {}
                  "f:selector": {}
                  "f:strategy":
                    "f:rollingUpdate": {".": {}, "f:maxSurge": {}}
                    "f:type": {}
                  "f:template":
                    "f:metadata": {"f:labels": {".": {}, "f:app": {}}}
                    "f:spec":
                      "f:containers":
                        'k:{"name":"web"}':
                          ".": {}
                          "f:command": {}
                          "f:image": {}
                          "f:name": {}
                          "f:ports":
                            ".": {}
                            'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}, "f:protocol": {}}
                          "f:resources": {}
                      "f:nodeSelector": {}
                """));
    }

    @Test
    void ownsWhatAnApplyOfADeploymentOwns() {
        var scene = Scene.builtin("apps/v1", "Deployment").apply("kubectl", DEPLOYMENT);
        assertThat(scene.fields("kubectl")).isEqualTo("""
                {"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:replicas":{},"f:selector":{},\
                "f:strategy":{"f:rollingUpdate":{"f:maxSurge":{}},"f:type":{}},\
                "f:template":{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"web\\"}":\
                {".":{},"f:command":{},"f:image":{},"f:name":{},"f:ports":\
                {"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{},"f:protocol":{}}},\
                "f:resources":{}}},"f:nodeSelector":{}}}}}""");
    }

    @Test
    void doesNotOwnStructsThatCannotBeAbsent() {
        var scene = Scene.builtin("apps/v1", "Deployment").update("kubectl-create", DEPLOYMENT);
        scene.patch("scheduler", "status: {replicas: 1}");
        assertThat(scene.fields("scheduler")).isEqualTo("""
                {"f:status":{"f:replicas":{}}}""");
    }

    @Test
    void ownsTheZerosOfWhatItAdds() {
        var scene = Scene.builtin("v1", "Pod").update("u", "spec: {containers: [{name: a}]}");
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{},"f:resources":{}}}}}""");
        scene.patch("kubelet", "status: {conditions: [{type: Ready, status: 'True'}]}");
        assertThat(scene.fields("kubelet")).isEqualTo("""
                {"f:status":{"f:conditions":{".":{},"k:{\\"type\\":\\"Ready\\"}":\
                {".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}}}}""");
    }

    @Test
    void countsAMissingProtocolAsTcp() {
        var scene = Scene.builtin("v1", "Service")
                .apply("a", "spec: {ports: [{port: 80, name: web}]}")
                .apply("b", "spec: {ports: [{port: 80, protocol: TCP, targetPort: 8080}]}");
        assertThat(scene.spec().objects("ports"))
                .containsExactly(yaml("{port: 80, name: web, protocol: TCP, targetPort: 8080}"));
    }

    @Test
    void mergesFinalizersAndOwnersAndTakesReferencesWhole() {
        var scene = Scene.builtin("v1", "ConfigMap")
                .apply("a", "{metadata: {finalizers: [x/a], ownerReferences: [{uid: u, name: n}]}, data: {k: v}}")
                .apply("b", "{metadata: {finalizers: [x/b]}, data: {l: w}}");
        assertThat(scene.object())
                .isEqualTo(yaml("{metadata: {finalizers: [x/a, x/b], ownerReferences: [{uid: u, name: n}]},"
                        + " data: {k: v, l: w}}"));
        assertThat(scene.fields("a")).contains("""
                "f:ownerReferences":{"k:{\\"uid\\":\\"u\\"}":{}}""");
    }

    @Test
    void refusesFieldsThatTheTypeDoesNotHave() {
        var scene = Scene.builtin("apps/v1", "Deployment");
        assertThat(scene.refused("a", "{kind: Deployment, metadata: {name: x}, spec: {replica: 1}}")
                        .text())
                .isEqualTo("failed to create typed patch object (/x; apps/v1, Kind=Deployment):"
                        + " .spec.replica: field not declared in schema");
    }

    @Test
    void refusesFieldsInsideOfWhatIsOwnedAsAWhole() {
        assertThat(Scene.builtin("v1", "Pod").refused("a", """
                                kind: Pod
                                metadata: {name: x}
                                spec:
                                  tolerations: [{key: k}, {value: v, foo: bar}]
                                  containers: [{name: c, env: [{name: e, valueFrom: {fieldRef: {path: p}}}]}]
                                """).text()).isEqualTo("""
                        failed to create typed patch object (/x; /v1, Kind=Pod): errors:
                          .spec.tolerations[1].foo: field not declared in schema
                          .spec.containers[name="c"].env[name="e"].valueFrom.fieldRef.path: field not declared in schema""");
    }
}

package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.kinds.apps.Deployments;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StalePodsTest {

    private final SecretsWorld world = new SecretsWorld();

    @BeforeEach
    void makeAWorkload() {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config, finalizers: [%s]}
                spec: {secretStoreRef: {name: nobody}, data: [{secretKey: k, remoteRef: {key: k}}]}
                ---
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata:
                  name: web-1
                  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web-uid, controller: true}]
                spec: {}
                """.formatted(ExternalSecretReconciler.FINALIZER));
        givenDeployment("{}");
        givenSecret("10:00:00");
    }

    private void givenDeployment(String annotations) {
        world.given("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, annotations: %s}
                spec: {template: {metadata: {labels: {app: web}}}}
                """.formatted(annotations));
    }

    private void givenSecret(String changed) {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: config
                  managedFields: [{manager: x, time: "2026-01-01T%sZ", fieldsV1: {"f:data": {}}}]
                stringData: {k: "%s"}
                """.formatted(changed, changed));
    }

    private void givenPod(String name, String use) {
        world.given("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: web-1-uid, controller: true}]
                spec:
                  containers:
                  - name: main
                    %s
                status: {phase: Running, containerStatuses: [{state: {running: {startedAt: "2026-01-01T10:30:00Z"}}}]}
                """.formatted(name, use));
    }

    private List<String> stale() {
        return world.status(SecretKinds.EXTERNAL_SECRET, "config")
                .array("stalePods")
                .strings();
    }

    private String condition() {
        return world.status(SecretKinds.EXTERNAL_SECRET, "config").objects("conditions").stream()
                .filter(each -> each.string("type").equals(StalePodsReconciler.CONDITION))
                .map(each -> each.string("status") + " " + each.string("message"))
                .findFirst()
                .orElse("none");
    }

    @Test
    void podsWithOldEnvironmentsAreTold() {
        givenPod("web-a", "envFrom: [{secretRef: {name: config}}]");
        givenPod("web-b", "env: [{name: K, valueFrom: {secretKeyRef: {name: config, key: k}}}]");
        givenPod("web-c", "env: [{name: K, valueFrom: {secretKeyRef: {name: other, key: k}}}]");
        world.settle();
        assertThat(condition()).isEqualTo("none");
        givenSecret("11:00:00");
        world.settle();
        assertThat(stale()).containsExactly("web-a", "web-b");
        assertThat(condition())
                .isEqualTo(
                        "True 2 pods have older values in their environment, until they are started anew: web-a, web-b");
        assertThat(world.events()).anyMatch(event -> event.startsWith("StalePods: 2 pods have older values"));
        assertThat(world.find(Deployments.KIND, "team", "web")
                        .orElseThrow()
                        .spec()
                        .object("template", "metadata"))
                .isEqualTo(world.find(Deployments.KIND, "team", "web")
                        .orElseThrow()
                        .spec()
                        .object("template", "metadata")
                        .without("annotations"));
        givenSecret("10:00:00");
        world.settle();
        assertThat(condition()).isEqualTo("none");
    }

    @Test
    void aWorkloadThatSaysSoIsStartedAnewOnceForEachValue() {
        givenDeployment("{secrets.towtank.dev/restart-on-change: \"true\"}");
        givenPod("web-a", "envFrom: [{secretRef: {name: config}}]");
        givenSecret("11:00:00");
        world.settle();
        var first = restartedFor();
        assertThat(first).isNotEmpty();
        assertThat(world.events()).anyMatch(event -> event.startsWith("RestartedForSecret: "));
        world.settle();
        assertThat(world.events()).isEmpty();
        givenSecret("12:00:00");
        world.settle();
        assertThat(restartedFor()).isNotEqualTo(first);
    }

    private String restartedFor() {
        return world.find(Deployments.KIND, "team", "web")
                .orElseThrow()
                .spec()
                .string("template", "metadata", "annotations", StalePodsReconciler.RESTARTED);
    }
}

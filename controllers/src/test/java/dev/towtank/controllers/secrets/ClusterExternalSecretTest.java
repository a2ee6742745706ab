package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.Secrets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterExternalSecretTest {

    private final SecretsWorld world = new SecretsWorld();

    @BeforeEach
    void makeNamespaces() {
        world.given("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: blue, labels: {team: "yes"}}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: green, labels: {team: "yes"}}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: other}
                ---
                apiVersion: external-secrets.io/v1
                kind: ClusterSecretStore
                metadata: {name: store}
                spec: {provider: {fake: {data: [{key: k, value: v}, {key: l, value: w}]}}}
                """);
    }

    private void given(String choice, String key) {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ClusterExternalSecret
                metadata: {name: everywhere, finalizers: [%s]}
                spec:
                  externalSecretName: config
                  externalSecretMetadata: {labels: {from: above}}
                  %s
                  externalSecretSpec:
                    secretStoreRef: {name: store, kind: ClusterSecretStore}
                    data: [{secretKey: k, remoteRef: {key: %s}}]
                """.formatted(ClusterExternalSecretReconciler.FINALIZER, choice, key));
    }

    private Json.Obj status() {
        return world.status(SecretKinds.CLUSTER_EXTERNAL_SECRET, "everywhere");
    }

    private String value(String namespace) {
        return world.find(Secrets.KIND, namespace, "config")
                .map(secret -> secret.json().string("data", "k"))
                .orElse("none");
    }

    @Test
    void everyChosenNamespaceGetsOne() {
        given("namespaceSelectors: [{matchLabels: {team: \"yes\"}}, {matchLabels: {no: body}}]", "k");
        world.settle();
        assertThat(status().array("provisionedNamespaces").strings()).containsExactly("blue", "green");
        assertThat(status().objects("conditions").getFirst().string("status")).isEqualTo("True");
        assertThat(value("blue")).isEqualTo(SecretsWorld.encoded("v"));
        assertThat(value("other")).isEqualTo("none");
        assertThat(world.find(SecretKinds.EXTERNAL_SECRET, "green", "config")
                        .orElseThrow()
                        .labels())
                .containsEntry("from", "above");

        given("namespaces: [other]\n  namespaceSelector: {matchLabels: {team: \"yes\"}}", "l");
        world.settle();
        assertThat(status().array("provisionedNamespaces").strings()).containsExactly("blue", "green", "other");
        assertThat(value("blue")).isEqualTo(SecretsWorld.encoded("w"));
        assertThat(value("other")).isEqualTo(SecretsWorld.encoded("w"));
    }

    @Test
    void aNamespaceThatIsNoLongerChosenLosesIt() {
        given("namespaces: [blue, other]", "k");
        world.settle();
        given("namespaces: [blue]", "k");
        world.settle();
        assertThat(world.find(SecretKinds.EXTERNAL_SECRET, "other", "config")).isEmpty();
        assertThat(world.find(SecretKinds.EXTERNAL_SECRET, "blue", "config")).isPresent();
        world.delete(SecretKinds.CLUSTER_EXTERNAL_SECRET, "", "everywhere");
        world.settle();
        assertThat(world.find(SecretKinds.EXTERNAL_SECRET, "blue", "config")).isEmpty();
        assertThat(world.find(SecretKinds.CLUSTER_EXTERNAL_SECRET, "", "everywhere"))
                .isEmpty();
    }

    @Test
    void whatSomebodyElseMadeIsLeftAlone() {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config, namespace: green}
                spec:
                  secretStoreRef: {name: store, kind: ClusterSecretStore}
                  data: [{secretKey: k, remoteRef: {key: l}}]
                """);
        given("namespaceSelectors: [{matchLabels: {team: \"yes\"}}]", "k");
        world.settle();
        assertThat(status().array("provisionedNamespaces").strings()).containsExactly("blue");
        assertThat(status().objects("failedNamespaces").getFirst().string("reason"))
                .isEqualTo("external secret already exists in namespace");
        assertThat(status().objects("conditions").getFirst().string("message"))
                .isEqualTo("one or more namespaces failed");
        assertThat(value("green")).isEqualTo(SecretsWorld.encoded("w"));
    }

    @Test
    void aSelectorThatIsNoneIsTold() {
        given("namespaceSelectors: [{matchExpressions: [{key: a, operator: Wrong}]}]", "k");
        world.settle();
        assertThat(status().objects("failedNamespaces").getFirst().string("namespace"))
                .isEqualTo("unknown");
    }
}

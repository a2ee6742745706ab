package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores that the operator calls valid, and that cannot read what they are to read.
final class StoreRightsTest {

    private static final String STORE = """
            apiVersion: external-secrets.io/v1
            kind: SecretStore
            metadata: {name: storage, namespace: models}
            spec:
              provider:
                kubernetes:
                  server: {caProvider: {type: ConfigMap, name: kube-root-ca.crt, key: ca.crt}}
                  auth: {serviceAccount: {name: reader}}
                  remoteNamespace: buckets
            """;

    private static final String ACCOUNT = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: reader, namespace: models}
            """;

    private static final String ROLE = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: read-secrets, namespace: buckets}
            rules:
            - apiGroups: [""]
              resources: [secrets]
              verbs: [get, list]
              resourceNames: [model-keys]
            - apiGroups: [authorization.k8s.io]
              resources: [selfsubjectrulesreviews]
              verbs: [create]
            """;

    private static final String BINDING = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: read-secrets, namespace: buckets}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: read-secrets}
            subjects: [{kind: ServiceAccount, name: reader, namespace: models}]
            """;

    private static final String ANY = "SecretStore \"storage\" is Valid, and reading any other fails:"
            + " its account \"reader\" is limited to \"model-keys\"";

    private static String reading(String... entries) {
        return """
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: keys, namespace: models}
                spec:
                  secretStoreRef: {name: storage, kind: SecretStore}
                """ + String.join("", entries);
    }

    private static String data(String key) {
        return "  data: [{secretKey: a, remoteRef: {key: " + key + ", property: a}}]\n";
    }

    private static List<String> found(String... files) {
        return Linting.lint(Stream.concat(Stream.of(ACCOUNT), Stream.of(files)).toArray(String[]::new))
                .findings()
                .stream()
                .map(finding -> finding.level().word() + " " + finding.rule().id() + ": " + finding.message())
                .toList();
    }

    @Test
    void warnsAtTheNamesOfTheRole() {
        var finding = Linting.lint(ACCOUNT, STORE, ROLE, BINDING).findings().getFirst();

        assertThat(Linting.line(finding)).startsWith("8:3-16 warning secretstore-rights: " + ANY);
        assertThat(finding.place().file()).isEqualTo("file2.yaml");
    }

    @Test
    void saysWhatCannotBeRead() {
        assertThat(found(STORE, ROLE, BINDING, reading(data("model-keys"), "  dataFrom: [{extract: {key: others}}]\n")))
                .containsExactly("warning secretstore-rights: SecretStore \"storage\" is Valid, and reading"
                        + " \"others\" fails: its account \"reader\" is limited to \"model-keys\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"model-keys", "'{{ .key }}'", "'${KEY}'"})
    void isContentWhereAllThatIsReadIsNamed(String key) {
        assertThat(found(STORE, ROLE, BINDING, reading(data(key)))).isEmpty();
    }

    @Test
    void namesOfSeveralRolesAddUp() {
        var second = ROLE.replace("read-secrets", "more").replace("model-keys", "others");
        var both = reading(data("model-keys"), "  dataFrom: [{extract: {key: others}}]\n");

        assertThat(found(STORE, ROLE, BINDING, second, BINDING.replace("read-secrets", "more"), both))
                .isEmpty();
    }

    @Test
    void aSearchNeedsAListWithoutNames() {
        var search = reading("  dataFrom: [{find: {name: {regexp: 'model-.*'}}}]\n");
        assertThat(found(STORE, ROLE, BINDING, search))
                .singleElement()
                .asString()
                .contains("finding Secrets fails, because a list is not limited to names");

        var list = ROLE + "- {apiGroups: ['*'], resources: ['*'], verbs: [list]}\n";
        assertThat(found(STORE, list, BINDING, search)).isEmpty();
    }

    @Test
    void whatIsReadThroughAnotherStoreDoesNotCount() {
        var elsewhere = "  data: [{secretKey: a, remoteRef: {key: model-keys}},"
                + " {secretKey: b, remoteRef: {key: b}, sourceRef: {storeRef: {name: open, kind: SecretStore}}}]\n";
        var open = STORE.replace("name: storage", "name: open").replace("name: reader", "name: default");

        assertThat(found(STORE, open, ROLE, BINDING, reading(elsewhere))).isEmpty();
    }

    @Test
    void aPushReadsWhatItWrites() {
        var push = """
                apiVersion: external-secrets.io/v1alpha1
                kind: PushSecret
                metadata: {name: out, namespace: models}
                spec:
                  secretStoreRefs: [{name: storage, kind: SecretStore}]
                  selector: {secret: {name: a}}
                  data: [{match: {secretKey: a, remoteRef: {remoteKey: %s}}}]
                """;

        assertThat(found(STORE, ROLE, BINDING, push.formatted("pushed"))).anyMatch(line -> line.contains("\"pushed\""));
        assertThat(found(STORE, ROLE, BINDING, push.formatted("model-keys")))
                .noneMatch(line -> line.contains("secretstore-rights"));
    }

    @Test
    void aClusterRoleIsLimitedLikewiseWhereverItIsBound() {
        var role = ROLE.replace("kind: Role", "kind: ClusterRole").replace(", namespace: buckets", "");
        var binding = BINDING.replace("kind: Role,", "kind: ClusterRole,");
        assertThat(found(STORE, role, binding)).containsExactly("warning secretstore-rights: " + ANY);

        var everywhere =
                binding.replace("kind: RoleBinding", "kind: ClusterRoleBinding").replace(", namespace: buckets", "");
        assertThat(found(STORE, role, everywhere)).containsExactly("warning secretstore-rights: " + ANY);
    }

    @Test
    void aClusterSecretStoreNamesTheNamespaceOfItsAccount() {
        var store = STORE.replace("kind: SecretStore", "kind: ClusterSecretStore")
                .replace("name: storage, namespace: models", "name: storage")
                .replace("key: ca.crt", "key: ca.crt, namespace: models");
        var ours = store.replace("name: reader", "name: reader, namespace: models");
        assertThat(found(ours, ROLE, BINDING)).containsExactly("warning secretstore-rights: Cluster" + ANY);
        assertThat(found(store.replace("name: reader", "name: reader, namespace: other"), ROLE, BINDING))
                .isEmpty();

        var reading = reading(data("model-keys")).replace("kind: SecretStore", "kind: ClusterSecretStore");
        assertThat(found(ours, ROLE, BINDING, reading)).isEmpty();
        assertThat(found(ours, ROLE, BINDING, """
                        apiVersion: external-secrets.io/v1
                        kind: ClusterExternalSecret
                        metadata: {name: keys}
                        spec:
                          namespaceSelectors: [{matchLabels: {a: b}}]
                          externalSecretSpec:
                            secretStoreRef: {name: storage, kind: ClusterSecretStore}
                            data: [{secretKey: a, remoteRef: {key: other}}]
                        """)).singleElement().asString().contains("reading \"other\" fails");
    }

    @Test
    void aRuleWithoutNamesBesideItSettlesIt() {
        assertThat(found(STORE, ROLE + "- {apiGroups: [''], resources: [secrets], verbs: ['*']}\n", BINDING))
                .isEmpty();
    }

    @Test
    void saysNothingOfRightsThatAreNotHere() {
        var more = BINDING.replace("kind: Role, name: read-secrets", "kind: ClusterRole, name: edit");
        assertThat(found(STORE, ROLE, BINDING, more)).isEmpty();

        var aggregates = "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\n"
                + ROLE.replace("kind: Role", "kind: ClusterRole").replace(", namespace: buckets", "");
        assertThat(found(STORE, aggregates, BINDING.replace("kind: Role,", "kind: ClusterRole,")))
                .isEmpty();

        var abroad = STORE.replace("server: {", "server: {url: 'https://other.example.com', ");
        assertThat(found(abroad, ROLE, BINDING)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespace: elsewhere}\nroleRef", "namespace: buckets}\nroleRef"})
    void aBindingCountsInTheNamespaceThatIsRead(String namespace) {
        var binding = BINDING.replace("namespace: buckets}\nroleRef", namespace);
        var role = ROLE.replace("kind: Role", "kind: ClusterRole").replace(", namespace: buckets", "");

        assertThat(found(STORE, role, binding.replace("kind: Role,", "kind: ClusterRole,")))
                .hasSize(namespace.contains("elsewhere") ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: Group, name: 'system:serviceaccounts:models'",
                "kind: Group, name: 'system:serviceaccounts'",
                "kind: User, name: 'system:serviceaccount:models:reader'"
            })
    void anAccountHasOtherNames(String subject) {
        var binding = BINDING.replace("kind: ServiceAccount, name: reader, namespace: models", subject);

        assertThat(found(STORE, ROLE, binding)).containsExactly("warning secretstore-rights: " + ANY);
        assertThat(found(STORE.replace("namespace: models", "namespace: others"), ROLE, binding))
                .hasSize(subject.contains("models") ? 0 : 1);
    }
}

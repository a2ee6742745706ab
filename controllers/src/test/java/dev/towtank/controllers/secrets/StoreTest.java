package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreTest {

    private final SecretsWorld world = new SecretsWorld();

    private void given(String kind, String spec) {
        world.given("apiVersion: external-secrets.io/v1\nkind: %s\nmetadata: {name: store}\nspec: %s"
                .formatted(kind, spec));
    }

    private void givenReader() {
        world.given("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: reader}");
    }

    private String ready() {
        return world.ready(SecretKinds.SECRET_STORE, "store");
    }

    private static final String BY_ACCOUNT =
            "{provider: {kubernetes: {auth: {serviceAccount: {name: reader}}, remoteNamespace: storage}}}";

    /// SS-1, SS-3, RB-1.
    @Test
    void anAccountThatMayGetSecretsIsValid() {
        givenReader();
        given("SecretStore", BY_ACCOUNT);
        world.settle();
        assertThat(ready()).isEqualTo("True Valid: store validated");
        assertThat(world.status(SecretKinds.SECRET_STORE, "store").string("capabilities"))
                .isEqualTo("ReadWrite");
        assertThat(world.events()).containsExactly("Valid: store validated");
    }

    /// SS-1.
    @Test
    void aStoreIsLookedAtAsOftenAsItSays() {
        givenReader();
        given("SecretStore", BY_ACCOUNT.replaceFirst("\\{", "{refreshInterval: 30, "));
        assertThat(world.settle().lookAgain()).contains(world.now().plusSeconds(30));
    }

    @Test
    void settingsThatNobodyUsesAreToldOf() {
        var store = (Json.Obj) YamlText.parse("{spec: {retrySettings: {maxRetries: 3}, provider: {fake: {data: []}}}}");
        assertThat(new SecretsAdmission("SecretStore").warnings(store))
                .singleElement()
                .asString()
                .startsWith("spec.retrySettings: ");
        assertThat(new SecretsAdmission("SecretStore").warnings(Json.Obj.EMPTY)).isEmpty();
        var elsewhere = (Json.Obj)
                YamlText.parse("{spec: {retrySettings: {maxRetries: 3}, provider: {webhook: {url: 'http://a'}}}}");
        assertThat(new SecretsAdmission("SecretStore").warnings(elsewhere)).isEmpty();
    }

    /// SS-3.
    @Test
    void aMissingAccountIsNoClient() {
        given("SecretStore", BY_ACCOUNT);
        world.settle();
        assertThat(ready()).isEqualTo("False InvalidProviderConfig: unable to create client");
        assertThat(world.events())
                .containsExactly("InvalidProviderConfig: could not fetch Auth.ServiceAccount: cannot create service"
                        + " account token: \"serviceaccounts \\\"reader\\\" not found\"");
    }

    /// SS-3, SS-4, RB-1.
    @Test
    void anAccountThatMayNotReadIsInvalidUntilItMay() {
        givenReader();
        world.deny("get ");
        given("SecretStore", BY_ACCOUNT);
        world.settle();
        assertThat(ready()).isEqualTo("False InvalidProviderConfig: unable to validate store");
        assertThat(world.events()).containsExactly("InvalidProviderConfig: client is not allowed to get secrets");

        world.given("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: one, namespace: storage}
                rules: [{apiGroups: [""], resources: [secrets], resourceNames: [bucket], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: one, namespace: storage}
                subjects: [{kind: ServiceAccount, name: reader, namespace: team}]
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: one}
                """);
        world.settle();
        assertThat(ready()).isEqualTo("True Valid: store validated");
    }

    /// SS-1.
    @Test
    void aTokenIsTakenForItsOwner() {
        world.given("apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {token: known, other: stolen}");
        given("SecretStore", "{provider: {kubernetes: {auth: {token: {bearerToken: {name: token, key: token}}}}}}");
        world.settle();
        assertThat(ready()).startsWith("True Valid");
        given("SecretStore", "{provider: {kubernetes: {auth: {token: {bearerToken: {name: token, key: other}}}}}}");
        world.settle();
        assertThat(ready()).startsWith("False InvalidProviderConfig: unable to create client");
        assertThat(world.events().getLast()).doesNotContain("stolen");
    }

    /// SS-7.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {namespaces: [team]}                              | True
            {namespaceRegexes: ['^te.m$']}                    | True
            {namespaceSelector: {matchLabels: {tier: a}}}     | True
            {namespaces: [other]}                             | False
            {namespaceSelector: {matchLabels: {tier: b}}}     | False
            """)
    void conditionsDecideWhoMayUseAClusterStore(String condition, String expected) {
        world.given("apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {tier: a}}");
        given(
                "ClusterSecretStore",
                "{conditions: [%s], provider: {fake: {data: [{key: k, value: v}]}}}".formatted(condition));
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config}
                spec:
                  secretStoreRef: {name: store, kind: ClusterSecretStore}
                  data: [{secretKey: k, remoteRef: {key: k}}]
                """);
        world.settle();
        assertThat(world.ready("config")).startsWith(expected + " ");
        if (expected.equals("True")) {
            assertThat(world.values("config")).isEqualTo(Map.of("k", "v"));
        } else {
            assertThat(world.status(SecretKinds.EXTERNAL_SECRET, "config").string("cause"))
                    .endsWith("using cluster store \"store\" is not allowed from namespace \"team\": denied by"
                            + " spec.condition");
        }
    }

    /// SS-2, ES-7.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SecretStore    | {provider: {aws: {service: SecretsManager}}} | provider "aws" is not supported here
            SecretStore    | {provider: {kubernetes: {auth: {cert: {}}}}} | auth.cert needs a server.url
            SecretStore    | {provider: {kubernetes: {auth: {serviceAccount: {name: a, namespace: b}}}}} | namespace should either be empty
            ExternalSecret | {secretStoreRef: {name: s}} | either data or dataFrom should be specified
            ExternalSecret | {target: {deletionPolicy: Delete, creationPolicy: Merge}, data: [{}]} | deletionPolicy=Delete must not be used
            ExternalSecret | {target: {template: {type: bootstrap.kubernetes.io/token}}, data: [{}]} | template.type="bootstrap.kubernetes.io/token" is not allowed
            ExternalSecret | {dataFrom: [{sourceRef: {generatorRef: {kind: MFA, name: x}}}]} | generator "MFA" is not supported here
            ExternalSecret | {dataFrom: [{}]} | either extract, find, or sourceRef must be set to dataFrom
            ExternalSecret | {refreshInterval: soon, data: [{}]} | spec.refreshInterval
            """)
    void whatCannotWorkIsRefused(String kind, String spec, String why) {
        var object = Json.Obj.of("metadata", Json.Obj.of("namespace", Json.of("team")), "spec", YamlText.parse(spec));
        assertThat(new SecretsAdmission(kind)
                        .refusal(object, null)
                        .orElseThrow()
                        .text())
                .contains("denied the request: ", why);
    }
}

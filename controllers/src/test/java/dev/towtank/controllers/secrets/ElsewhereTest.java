package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.WebAnswer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores whose values are not in Secrets of this server.
class ElsewhereTest {

    private static final String SYNCED = "True SecretSynced: secret synced";

    private final SecretsWorld world = new SecretsWorld();
    private final List<WebCall> calls = new ArrayList<>();

    private void givenStore(String spec) {
        world.given("apiVersion: external-secrets.io/v1\nkind: SecretStore\nmetadata: {name: store}\nspec: " + spec);
    }

    private void givenExternalSecret(String spec) {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config, finalizers: [%s]}
                spec:
                  secretStoreRef: {name: store}
                  refreshInterval: 10m
                """.formatted(ExternalSecretReconciler.FINALIZER) + spec.indent(2));
    }

    private void answer(Map<String, String> answers) {
        world.answering(call -> {
            calls.add(call);
            var url = call.url().replaceFirst("^https?://[^/]+", "");
            var body = answers.entrySet().stream()
                    .filter(each -> url.startsWith(each.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst();
            return body.map(text -> WebAnswer.of(200, text.getBytes(StandardCharsets.UTF_8)))
                    .orElse(new WebAnswer(call.method().isEmpty() ? 200 : 404, ""));
        });
    }

    private String cause() {
        return world.status(SecretKinds.EXTERNAL_SECRET, "config").string("cause");
    }

    private static final String WEBHOOK = """
            provider:
              webhook:
                url: "https://vault.example.com/read?key={{ .remoteRef.key }}"
                headers: {X-Token: "{{ .auth.token }}"}
                result: {jsonPath: "$.data.value"}
                secrets: [{name: auth, secretRef: {name: vault-token}}]
            """;

    private void givenVaultToken(String labels) {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: vault-token, labels: {%s}}
                stringData: {token: hush}
                """.formatted(labels));
    }

    @Test
    void aWebhookIsAskedOnceForEachRefresh() {
        givenVaultToken("external-secrets.io/type: webhook");
        givenStore("\n" + WEBHOOK.indent(2));
        answer(Map.of("/read?key=a%2Fb", "{\"data\": {\"value\": \"one\"}}"));
        givenExternalSecret("data: [{secretKey: v, remoteRef: {key: a/b}}]");
        world.settle();
        assertThat(world.ready("config")).isEqualTo(SYNCED);
        assertThat(world.values("config")).isEqualTo(Map.of("v", "one"));
        assertThat(calls)
                .filteredOn(call -> call.method().equals("GET"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.headers()).isEqualTo(Map.of("X-Token", "hush"));
                    assertThat(call.toString()).isEqualTo("GET vault.example.com");
                });
        assertThat(calls.toString()).doesNotContain("hush");

        answer(Map.of("/read?key=a%2Fb", "{\"data\": {\"value\": \"two\"}}"));
        world.pass(Duration.ofMinutes(5));
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("v", "one"));
        world.pass(Duration.ofMinutes(6));
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("v", "two"));
    }

    @Test
    void aSecretThatIsNotMeantForItIsNotSentAway() {
        givenVaultToken("");
        givenStore("\n" + WEBHOOK.indent(2));
        answer(Map.of());
        givenExternalSecret("data: [{secretKey: v, remoteRef: {key: a}}]");
        world.settle();
        assertThat(cause()).contains("secret does not contain needed label 'external-secrets.io/type: webhook'");
        assertThat(calls).noneMatch(call -> call.method().equals("GET"));
    }

    @Test
    void whatAWebhookRefusesIsAskedForAgain() {
        givenStore("{provider: {webhook: {url: 'https://vault.example.com/x'}}}");
        answer(Map.of());
        givenExternalSecret("""
                target: {deletionPolicy: Delete, creationPolicy: Owner}
                data: [{secretKey: v, remoteRef: {key: a}}]
                """);
        world.settle();
        // As it is told where nothing is there, so the policy decides.
        assertThat(world.ready("config")).startsWith("True SecretDeleted");

        givenExternalSecret("""
                target: {deletionPolicy: Retain}
                data: [{secretKey: v, remoteRef: {key: a}}]
                """);
        world.settle();
        assertThat(cause()).endsWith("Secret does not exist");
        answer(Map.of("/x", "late"));
        world.pass(Duration.ofSeconds(2));
        world.settle();
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("v", "late"));
    }

    @Test
    void aWebhookThatNobodyAnswersIsNoValidStore() {
        givenStore("{provider: {webhook: {url: 'https://vault.example.com/x'}}}");
        world.settle();
        assertThat(world.ready(SecretKinds.SECRET_STORE, "store"))
                .isEqualTo("False InvalidProviderConfig: unable to validate store");
        assertThat(world.events().getLast()).contains("cannot reach vault.example.com");
    }

    private static final String REMOTE = """
            provider:
              kubernetes:
                server: {url: "https://other.example.com:6443/"}
                remoteNamespace: storage
                auth: {token: {bearerToken: {name: remote, key: token}}}
            """;

    private void givenRemote() {
        world.given("apiVersion: v1\nkind: Secret\nmetadata: {name: remote}\nstringData: {token: tok-hush}");
        givenStore("\n" + REMOTE.indent(2));
    }

    /// SS-1, SS-3.
    @Test
    void anotherClusterIsReadByItsOwnRules() {
        givenRemote();
        var rules = "{\"status\": {\"resourceRules\": [{\"verbs\": [\"get\"], \"apiGroups\": [\"\"], \"resources\":"
                + " [\"secrets\"]}]}}";
        answer(Map.of(
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                rules,
                "/api/v1/namespaces/storage/secrets/bucket",
                "{\"kind\": \"Secret\", \"metadata\": {\"name\": \"bucket\"}, \"data\": {\"id\": \"b25l\"}}",
                "/api/v1/namespaces/storage/secrets?limit=500",
                "{\"items\": [{\"metadata\": {\"name\": \"bucket\"}, \"data\": {\"id\": \"b25l\"}}], \"metadata\":"
                        + " {}}"));
        givenExternalSecret("""
                data: [{secretKey: v, remoteRef: {key: bucket, property: id}}]
                dataFrom: [{find: {name: {regexp: buck}}}]
                """);
        world.settle();
        assertThat(world.ready(SecretKinds.SECRET_STORE, "store")).isEqualTo("True Valid: store validated");
        assertThat(world.values("config")).isEqualTo(Map.of("v", "one", "bucket", "{\"id\":\"one\"}"));
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.headers()).containsEntry("Authorization", "Bearer tok-hush"));
        assertThat(calls.toString() + world.events()).doesNotContain("hush");
    }

    /// SS-3.
    @Test
    void aClusterThatRefusesOrIsAwaySaysSo() {
        givenRemote();
        answer(Map.of("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", "{\"status\": {}}"));
        world.settle();
        assertThat(world.ready(SecretKinds.SECRET_STORE, "store"))
                .isEqualTo("False InvalidProviderConfig: unable to validate store");

        var away = new SecretsWorld();
        away.given("apiVersion: v1\nkind: Secret\nmetadata: {name: remote}\nstringData: {token: tok-hush}");
        away.given("apiVersion: external-secrets.io/v1\nkind: SecretStore\nmetadata: {name: store}\nspec:\n"
                + REMOTE.indent(2));
        away.settle();
        assertThat(away.ready(SecretKinds.SECRET_STORE, "store"))
                .isEqualTo("True ValidationUnknown: could not determine validation status");
        assertThat(away.events().getLast())
                .contains("cannot reach other.example.com")
                .doesNotContain("hush");
    }

    @Test
    void aFieldOfAnyObjectIsHadWithoutAScript() {
        world.given("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: gitea.pfe.rhpds.com}
                spec:
                  group: pfe.rhpds.com
                  scope: Namespaced
                  names: {kind: Gitea, plural: gitea}
                  versions: [{name: v1, served: true}]
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader}
                ---
                apiVersion: pfe.rhpds.com/v1
                kind: Gitea
                metadata: {name: gitea-with-admin, namespace: gitea}
                spec: {giteaAdminUser: admin}
                status: {adminPassword: hush}
                """);
        givenStore("{provider: {object: {apiVersion: pfe.rhpds.com/v1, kind: Gitea, namespace: gitea, auth:"
                + " {serviceAccount: {name: reader}}}}}");
        givenExternalSecret("""
                data:
                - {secretKey: username, remoteRef: {key: gitea-with-admin, property: spec.giteaAdminUser}}
                - {secretKey: password, remoteRef: {key: gitea-with-admin, property: status.adminPassword}}
                """);
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("username", "admin", "password", "hush"));
        assertThat(world.status(SecretKinds.SECRET_STORE, "store").string("capabilities"))
                .isEqualTo("ReadOnly");

        givenExternalSecret("data: [{secretKey: x, remoteRef: {key: gitea-with-admin, property: status.token}}]");
        world.settle();
        assertThat(cause()).endsWith("field status.token does not exist in Gitea \"gitea-with-admin\"");
        world.deny("get gitea-with-admin");
        world.settle();
        assertThat(cause()).contains("cannot get resource \"gitea\" in API group \"pfe.rhpds.com\" in the namespace");
        world.deny("get ");
        world.settle();
        assertThat(world.ready(SecretKinds.SECRET_STORE, "store")).startsWith("False InvalidProviderConfig");
    }

    private void givenGenerator(String kind, String spec) {
        world.given("apiVersion: generators.external-secrets.io/v1alpha1\nkind: %s\nmetadata: {name: made}\nspec: %s"
                .formatted(kind, spec));
        givenExternalSecret("dataFrom: [{sourceRef: {generatorRef: {kind: %s, name: made}}}]".formatted(kind));
    }

    @Test
    void aPasswordIsMadeOnceForEachRefresh() {
        givenGenerator(
                "Password",
                "{length: 40, digits: 10, symbols: 4, symbolCharacters: '-_', allowRepeat: true, noUpper: true}");
        world.settle();
        var first = world.values("config").get("password");
        assertThat(first).hasSize(40).matches("[a-z0-9_-]+");
        assertThat(first.replaceAll("[^0-9]", "")).hasSize(10);
        assertThat(first.replaceAll("[^_-]", "")).hasSize(4);
        world.pass(Duration.ofMinutes(9));
        world.settle();
        assertThat(world.values("config")).containsEntry("password", first);
        world.pass(Duration.ofMinutes(2));
        world.settle();
        assertThat(world.values("config").get("password")).hasSize(40).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base64", "base64url", "hex", "base32"})
    void passwordsAreEncodedAsAsked(String encoding) {
        givenGenerator("Password", "{length: 8, secretKeys: [a, b], encoding: %s}".formatted(encoding));
        world.settle();
        assertThat(world.values("config")).containsOnlyKeys("a", "b");
        assertThat(world.values("config").get("a")).hasSizeGreaterThan(11);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {length: 4, digits: 3, symbols: 3}         | number of digits and symbols must be less than total length
            {length: 200}                              | and repeats are not allowed
            {length: 2000000000, allowRepeat: true}    | is more than the 65536
            {length: 8, secretKeys: [a, a]}            | secretKeys must be non-empty and unique
            """)
    void aPasswordThatCannotBeIsRefused(String spec, String why) {
        givenGenerator("Password", spec);
        world.settle();
        assertThat(cause()).contains("error processing spec.dataFrom[0].sourceRef.generatorRef, err: ", why);
    }

    @Test
    void otherGeneratorsAreThere() {
        givenGenerator("UUID", "{}");
        world.settle();
        assertThat(world.values("config").get("uuid"))
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        givenGenerator("Fake", "{data: {a: '1'}}");
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("a", "1"));
        answer(Map.of("/new", "{\"result\": {\"key\": \"k\", \"number\": 7}}"));
        givenGenerator("Webhook", "{url: 'https://keys.example.com/new', result: {jsonPath: '$.result'}}");
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("key", "k", "number", "7"));
        world.given("""
                apiVersion: generators.external-secrets.io/v1alpha1
                kind: ClusterGenerator
                metadata: {name: made}
                spec: {kind: Fake, generator: {fakeSpec: {data: {b: "2"}}}}
                """);
        givenExternalSecret("dataFrom: [{sourceRef: {generatorRef: {kind: ClusterGenerator, name: made}}}]");
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("b", "2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {provider: {kubernetes: {server: {url: 'http://other.example.com'}, auth: {cert: {}}}}} | server.url must begin with https://
            {provider: {kubernetes: {server: {url: 'https://a b'}, auth: {cert: {}}}}}              | server.url is no address of a server
            {provider: {kubernetes: {server: {url: 'https://u:p@a'}, auth: {cert: {}}}}}            | server.url is no address of a server
            {provider: {webhook: {url: 'https://a', auth: {ntlm: {}}}}}                             | webhook.auth is not supported here
            """)
    void whatWouldLeakIsRefused(String spec, String why) {
        var object = Json.Obj.of("metadata", Json.Obj.of("namespace", Json.of("team")), "spec", YamlText.parse(spec));
        assertThat(new SecretsAdmission("SecretStore")
                        .refusal(object, null)
                        .orElseThrow()
                        .text())
                .contains(why);
    }
}

package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.WebAnswer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// ES-14.
class PushSecretTest {

    private static final String SYNCED = "True Synced: PushSecret synced successfully";

    private final SecretsWorld world = new SecretsWorld();

    @BeforeEach
    void makeStore() {
        world.given("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: writer}
                ---
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store, labels: {where: storage}}
                spec: {provider: {kubernetes: {auth: {serviceAccount: {name: writer}}, remoteNamespace: storage}}}
                """);
        givenSource("one");
    }

    private void givenSource(String key) {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: keys
                  labels: {app: web}
                  annotations: {kubectl.kubernetes.io/last-applied-configuration: hush, note: text}
                stringData: {key: %s, other: x}
                """.formatted(key));
    }

    private void given(String more, String data) {
        world.given("""
                apiVersion: external-secrets.io/v1alpha1
                kind: PushSecret
                metadata: {name: push, finalizers: [%s]}
                spec:
                  refreshInterval: 1h
                  secretStoreRefs: [{name: store, kind: SecretStore}]
                  selector: {secret: {name: keys}}
                """.formatted(more.contains("Delete") ? PushSecretReconciler.FINALIZER : "")
                + (more + "\ndata: " + data).indent(2));
    }

    private static String line(String secretKey, String property) {
        return "{match: {secretKey: %s, remoteRef: {remoteKey: there, property: %s}}}".formatted(secretKey, property);
    }

    private String ready() {
        return world.ready(SecretKinds.PUSH_SECRET, "push");
    }

    private Resource there() {
        return world.find(Secrets.KIND, "storage", "there").orElseThrow();
    }

    private String value(String key) {
        return there().json().string("data", key);
    }

    @Test
    void aValueIsPushedAndFollowsItsSource() {
        given("", "[" + line("key", "id") + "]");
        world.settle();
        assertThat(ready()).isEqualTo(SYNCED);
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("one"));
        assertThat(there().labels()).containsEntry("app", "web");
        assertThat(there().annotations()).containsEntry("note", "text").hasSize(1);
        var synced = world.status(SecretKinds.PUSH_SECRET, "push").object("syncedPushSecrets", "SecretStore/store");
        assertThat(synced.keys()).containsExactly("there/id");
        assertThat(synced.string("there/id", "match", "secretKey")).isEqualTo("key");
        assertThat(world.events()).contains("Synced: PushSecret synced successfully");

        givenSource("two");
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("two"));
        // Somebody else's change there stays until it is time, or two PushSecrets would never rest.
        world.given(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: there, namespace: storage}\nstringData: {id: x, own: kept}");
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("x"));
        world.pass(Duration.ofMinutes(61));
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("two"));
        assertThat(value("own")).isEqualTo(SecretsWorld.encoded("kept"));
    }

    @Test
    void wholeSecretsAndTemplatesArePushed() {
        given("template: {data: {line: '{{ .key | upper }}!'}, metadata: {labels: {t: '{{ .key }}'}}}", """
                [{match: {remoteRef: {remoteKey: there}}}, {match: {remoteRef: {remoteKey: json, property: all}}}]
                """);
        world.settle();
        assertThat(value("line")).isEqualTo(SecretsWorld.encoded("ONE!"));
        assertThat(value("other")).isEqualTo(SecretsWorld.encoded("x"));
        assertThat(there().labels()).containsEntry("t", "one");
        assertThat(world.find(Secrets.KIND, "storage", "json")
                        .orElseThrow()
                        .json()
                        .string("data", "all"))
                .isEqualTo(SecretsWorld.encoded("{\"key\":\"one\",\"line\":\"ONE!\",\"other\":\"x\"}"));
    }

    @Test
    void whatIsThereMayBeKept() {
        world.given("apiVersion: v1\nkind: Secret\nmetadata: {name: there, namespace: storage}\nstringData: {id: old}");
        given("updatePolicy: IfNotExists", "[" + line("key", "id") + ", " + line("key", "new") + "]");
        world.settle();
        assertThat(ready()).isEqualTo(SYNCED + ". Existing secrets in providers unchanged.");
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("old"));
        assertThat(value("new")).isEqualTo(SecretsWorld.encoded("one"));
    }

    @Test
    void whatWasPushedGoesWhereThePolicySaysSo() {
        given("deletionPolicy: Delete", "[" + line("key", "id") + ", " + line("other", "o") + "]");
        world.settle();
        given("deletionPolicy: Delete", "[" + line("key", "id") + "]");
        world.settle();
        assertThat(there().json().object("data").keys()).containsExactly("id");
        world.delete(SecretKinds.PUSH_SECRET, "team", "push");
        world.settle();
        assertThat(world.find(Secrets.KIND, "storage", "there")).isEmpty();
        assertThat(world.find(SecretKinds.PUSH_SECRET, "team", "push")).isEmpty();

        given("deletionPolicy: None", "[" + line("key", "id") + "]");
        world.settle();
        world.delete(SecretKinds.PUSH_SECRET, "team", "push");
        world.settle();
        assertThat(there()).isNotNull();
    }

    @Test
    void aSourceThatIsGoneIsToldOrCleanedUp() {
        given("deletionPolicy: Delete", "[" + line("key", "id") + "]");
        world.settle();
        world.delete(Secrets.KIND, "team", "keys");
        world.settle();
        assertThat(ready()).isEqualTo("False SourceDeleted: source secret deleted; provider secrets cleaned up");
        assertThat(world.find(Secrets.KIND, "storage", "there")).isEmpty();
        givenSource("back");
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("back"));

        given("deletionPolicy: None", "[" + line("key", "id") + "]");
        world.delete(Secrets.KIND, "team", "keys");
        world.settle();
        assertThat(ready()).isEqualTo("False Errored: could not get source secret");
    }

    @Test
    void theAccountOfTheStoreMustBeAllowedToWrite() {
        world.deny("create ");
        given("", "[" + line("key", "id") + "]");
        world.settle();
        assertThat(ready())
                .startsWith("False Errored: set secret failed: could not write remote ref there to target secretstore"
                        + " store: secrets is forbidden")
                .contains("cannot create resource \"secrets\"");
        world.allowAll();
        world.pass(Duration.ofSeconds(2));
        world.settle();
        assertThat(ready()).isEqualTo(SYNCED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{match: {secretKey: nobody, remoteRef: {remoteKey: there, property: p}}}] | secret key nobody does not exist
            [{match: {secretKey: key, remoteRef: {remoteKey: there}}}]                 | requires property in RemoteRef
            """)
    void whatCannotBePushedIsTold(String data, String why) {
        given("", data);
        world.settle();
        assertThat(ready()).startsWith("False Errored").contains(why);
    }

    @Test
    void storesAndSecretsAreFoundByLabelsAndGeneratorsMakeThem() {
        world.given("""
                apiVersion: generators.external-secrets.io/v1alpha1
                kind: Fake
                metadata: {name: made}
                spec: {data: {key: made, a_U002f_b: slash}}
                ---
                apiVersion: external-secrets.io/v1alpha1
                kind: PushSecret
                metadata: {name: push}
                spec:
                  refreshInterval: 1h
                  secretStoreRefs: [{labelSelector: {matchLabels: {where: storage}}}]
                  selector: {generatorRef: {kind: Fake, name: made}}
                  data:
                  - {match: {secretKey: a/b, remoteRef: {remoteKey: there, property: id}}, conversionStrategy: ReverseUnicode}
                """);
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("slash"));
        world.given("""
                apiVersion: external-secrets.io/v1alpha1
                kind: PushSecret
                metadata: {name: push}
                spec:
                  refreshInterval: 1h
                  secretStoreRefs: [{name: store}]
                  selector: {secret: {selector: {matchLabels: {app: web}}}}
                  data: [%s]
                """.formatted(line("key", "id")));
        world.settle();
        assertThat(value("id")).isEqualTo(SecretsWorld.encoded("one"));
    }

    @Test
    void labelsAreMergedAsAsked() {
        given(
                "",
                "[{match: {secretKey: key, remoteRef: {remoteKey: there, property: id}}, metadata: {apiVersion:"
                        + " kubernetes.external-secrets.io/v1alpha1, kind: PushSecretMetadata, spec: {sourceMergePolicy:"
                        + " Replace, labels: {only: this}}}}]");
        world.settle();
        assertThat(there().labels()).containsOnlyKeys("only");
    }

    @Test
    void anotherClusterIsWrittenTo() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: remote}
                stringData: {token: hush}
                ---
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store}
                spec:
                  provider:
                    kubernetes:
                      server: {url: "https://other.example.com"}
                      remoteNamespace: storage
                      auth: {token: {bearerToken: {name: remote, key: token}}}
                """);
        var sent = new ArrayList<WebCall>();
        world.answering(call -> {
            sent.add(call);
            return call.url().endsWith("rulesreviews")
                    ? WebAnswer.of(
                            201,
                            "{\"status\":{\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]}}"
                                    .getBytes(StandardCharsets.UTF_8))
                    : new WebAnswer(call.method().equals("GET") ? 404 : 201, "{}");
        });
        given("", "[" + line("key", "id") + "]");
        world.settle();
        assertThat(ready()).isEqualTo(SYNCED);
        assertThat(sent)
                .filteredOn(call -> call.method().equals("POST") && call.url().endsWith("/secrets"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.url()).isEqualTo("https://other.example.com/api/v1/namespaces/storage/secrets");
                    assertThat(call.body()).contains("\"id\":\"" + SecretsWorld.encoded("one") + "\"");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PushSecret            | {dataTo: [{}]}                                         | dataTo is not supported here
            PushSecret            | {selector: {generatorRef: {kind: MFA, name: x}}}       | generator "MFA" is not supported here
            PushSecret            | {data: [{metadata: {spec: {remoteNamespace: x}}}]}     | remoteNamespace is not supported here
            PushSecret            | {refreshInterval: soon}                                | spec.refreshInterval
            ClusterExternalSecret | {refreshTime: soon, externalSecretSpec: {data: [{}]}}  | spec.refreshTime
            ClusterExternalSecret | {externalSecretSpec: {}}                               | either data or dataFrom should be specified
            """)
    void whatCannotWorkIsRefused(String kind, String spec, String why) {
        var object = Json.Obj.of("metadata", Json.Obj.EMPTY, "spec", YamlText.parse(spec));
        assertThat(List.of(new SecretsAdmission(kind)
                        .refusal(object, null)
                        .orElseThrow()
                        .text()))
                .allSatisfy(text -> assertThat(text).contains(why));
    }
}

package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExternalSecretTest {

    private static final String SYNCED = "True SecretSynced: secret synced";
    private static final String UNREAD = "False SecretSyncedError: could not get secret data from provider";

    private static final String SOURCE = """
            apiVersion: v1
            kind: Secret
            metadata: {name: bucket, namespace: storage, labels: {kind: bucket}, annotations: {note: "7"}}
            stringData: {id: one, tls.crt: PEM, json: '{"user":{"name":"ann","keys":["a","b"]}}'}
            """;

    private final SecretsWorld world = new SecretsWorld();

    @BeforeEach
    void makeStore() {
        world.given("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader}
                ---
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store}
                spec:
                  provider:
                    kubernetes: {auth: {serviceAccount: {name: reader}}, remoteNamespace: storage}
                """).given(SOURCE);
    }

    private void given(String spec) {
        given("annotations: {}", spec);
    }

    private void given(String annotations, String spec) {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config, labels: {app: web}, finalizers: [%s], %s}
                spec:
                  secretStoreRef: {name: store}
                """.formatted(ExternalSecretReconciler.FINALIZER, annotations) + spec.indent(2));
    }

    private void givenData(String more, String remoteRef) {
        given("""
                %s
                data:
                - secretKey: value
                  remoteRef: %s
                """.formatted(more, remoteRef));
    }

    private String cause() {
        return world.status(SecretKinds.EXTERNAL_SECRET, "config").string("cause");
    }

    /// ES-3, ES-5.
    @Test
    void makesASecretWithLabelsHashAndOwner() {
        givenData("", "{key: bucket, property: id}");
        var plan = world.settle();

        assertThat(world.values("config")).isEqualTo(Map.of("value", "one"));
        assertThat(world.ready("config")).isEqualTo(SYNCED);
        assertThat(world.events()).contains("Created: secret created", "Valid: store validated");
        var secret = world.secret("config").orElseThrow();
        // SHA3-224 of what Go prints for the data, and for the name of the owner.
        assertThat(secret.annotations())
                .containsEntry(SecretTarget.HASH_ANNOTATION, Hashes.ofText("map[value:[111 110 101]]"));
        assertThat(secret.labels())
                .containsEntry("app", "web")
                .containsEntry(SecretTarget.MANAGED_LABEL, "true")
                .containsEntry(SecretTarget.OWNER_LABEL, Hashes.ofText("team/config"));
        assertThat(secret.controller().orElseThrow().name()).isEqualTo("config");
        assertThat(plan.lookAgain()).contains(world.now().plus(Duration.ofHours(1)));
    }

    /// ES-6.
    @Test
    void findsPropertiesByKeyThenInsideOfJson() {
        given("""
                data:
                - {secretKey: dotted, remoteRef: {key: bucket, property: tls.crt}}
                - {secretKey: inner, remoteRef: {key: bucket, property: json.user.keys.1}}
                - {secretKey: label, remoteRef: {key: bucket, property: labels.kind, metadataPolicy: Fetch}}
                - {secretKey: all, remoteRef: {key: bucket, property: annotations, metadataPolicy: Fetch}}
                """);
        world.settle();
        assertThat(world.values("config"))
                .isEqualTo(Map.of("dotted", "PEM", "inner", "b", "label", "bucket", "all", "{\"note\":\"7\"}"));
    }

    /// ES-3, ES-8 and the table of failures, a property that is missing in the source.
    @Test
    void aMissingPropertyIsToldOnceAndKeepsTheOldValue() {
        givenData("", "{key: bucket, property: id}");
        world.settle();
        world.events();
        givenData("", "{key: bucket, property: endpoint}");
        world.settle();

        var cause = "error processing spec.data[0] (key: bucket), err: property endpoint does not exist in data of"
                + " secret \"bucket\"";
        assertThat(world.ready("config")).isEqualTo(UNREAD);
        assertThat(cause()).isEqualTo(cause);
        assertThat(world.events()).containsExactly("UpdateFailed: " + cause);
        assertThat(world.values("config")).isEqualTo(Map.of("value", "one"));

        var first = world.settle().lookAgain().orElseThrow();
        assertThat(first).isEqualTo(world.now().plusSeconds(1));
        world.pass(Duration.ofSeconds(8));
        assertThat(world.settle().lookAgain()).contains(world.now().plusSeconds(8));
        world.pass(Duration.ofHours(3));
        assertThat(world.settle().lookAgain()).contains(world.now().plus(Duration.ofMinutes(7)));
        assertThat(world.events()).isEmpty();
    }

    /// RB-2.
    @Test
    void theAccountOfTheStoreMustBeAllowedToReadThatSecret() {
        world.deny("get bucket");
        givenData("", "{key: bucket, property: id}");
        world.settle();
        assertThat(cause())
                .isEqualTo("error processing spec.data[0] (key: bucket), err: secrets \"bucket\" is forbidden: User"
                        + " \"system:serviceaccount:team:reader\" cannot get resource \"secrets\" in API group \"\" in"
                        + " the namespace \"storage\"");
        world.allowAll();
        world.settle();
        assertThat(world.ready("config")).isEqualTo(SYNCED);
        assertThat(cause()).isEmpty();
    }

    /// ES-9.
    @Test
    void aRotationArrivesBeforeItIsTime() {
        givenData("", "{key: bucket, property: id}");
        world.settle();
        world.events();
        world.given(SOURCE.replace("id: one", "id: two")).settle();
        assertThat(world.values("config")).isEqualTo(Map.of("value", "two"));
        assertThat(world.events()).containsExactly("Updated: secret updated because its source changed");
    }

    /// ES-8.
    @Test
    void anIntervalOfZeroOrAPolicyEndsRefreshes() {
        for (var policy : new String[] {"refreshInterval: \"0\"", "refreshPolicy: CreatedOnce"}) {
            world.given(SOURCE);
            givenData(policy, "{key: bucket, property: id}");
            world.settle();
            world.given(SOURCE.replace("id: one", "id: two"));
            world.pass(Duration.ofDays(2));
            world.settle();
            assertThat(world.values("config")).as(policy).isEqualTo(Map.of("value", "one"));
        }
        givenData("refreshPolicy: OnChange", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("value", "two"));
    }

    /// ES-8.
    @Test
    void whatSomebodyElseWritesIntoTheTargetGoesAgain() {
        givenData("", "{key: bucket, property: id}");
        world.settle();
        var secret = world.secret("config").orElseThrow();
        world.given(YamlText.write(secret.json()).replace("data:", "data:\n  other: eA=="));
        world.settle();
        assertThat(world.values("config")).isEqualTo(Map.of("value", "one"));
    }

    /// ES-3, ES-11.
    @Test
    void deletionPoliciesDecideAboutASourceThatIsGone() {
        given("""
                target: {deletionPolicy: Delete, creationPolicy: Owner}
                dataFrom: [{extract: {key: bucket}}]
                """);
        world.settle();
        assertThat(world.values("config")).containsKey("tls.crt");
        world.delete(Secrets.KIND, "storage", "bucket");
        world.settle();
        assertThat(world.secret("config")).isEmpty();
        assertThat(world.ready("config")).isEqualTo("True SecretDeleted: secret deleted due to DeletionPolicy=Delete");

        givenData("target: {deletionPolicy: Delete, creationPolicy: Owner}", "{key: bucket, property: id}");
        world.settle();
        assertThat(cause()).endsWith("err: secrets \"bucket\" not found");
    }

    /// ES-3 and bad input, an ExternalSecret for the Secret of another.
    @Test
    void aTargetOfAnotherIsLeftAlone() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: config
                  ownerReferences: [{apiVersion: external-secrets.io/v1, kind: ExternalSecret, name: other, uid: u, controller: true}]
                stringData: {theirs: "yes"}
                """);
        givenData("", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.ready("config"))
                .isEqualTo("False SecretSyncedError: target is owned by another ExternalSecret");
        assertThat(world.values("config")).isEqualTo(Map.of("theirs", "yes"));
    }

    /// ES-3 and bad input, an immutable target.
    @Test
    void anImmutableTargetIsNotChanged() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: config}
                immutable: true
                stringData: {value: old}
                """);
        givenData("", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.ready("config"))
                .isEqualTo("False SecretSyncedError: could not update secret, target is immutable");
    }

    /// ES-3: what somebody else controls is not taken over.
    @Test
    void aTargetOfAnotherControllerIsLeftAlone() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: config
                  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]
                stringData: {theirs: "yes"}
                """);
        givenData("", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.ready("config"))
                .isEqualTo("False SecretSyncedError: failed to take ownership of target secret");
        assertThat(world.values("config")).isEqualTo(Map.of("theirs", "yes"));
    }

    /// ES-3: a search that finds nothing leaves the target, unless somebody wants it otherwise.
    @Test
    void nothingFoundIsRetained() {
        given("dataFrom: [{find: {name: {regexp: '^buck'}}}]");
        world.settle();
        assertThat(world.values("config")).containsKey("bucket");
        given("dataFrom: [{find: {name: {regexp: '^nothing$'}}}]");
        world.settle();
        assertThat(world.ready("config")).isEqualTo("True SecretSynced: secret retained due to DeletionPolicy=Retain");
        assertThat(world.values("config")).containsKey("bucket");
    }

    /// ES-3.
    @Test
    void theStatusSaysOfWhatItIs() {
        givenData("", "{key: bucket, property: id}");
        world.settle();
        var status = world.status(SecretKinds.EXTERNAL_SECRET, "config");
        assertThat(status.string("refreshTime")).isEqualTo(world.now().toString());
        assertThat(status.string("binding", "name")).isEqualTo("config");
        assertThat(status.string("syncedResourceVersion")).matches("\\d+-[0-9a-f]{56}");
    }

    /// ES-13.
    @Test
    void aSecretThatIsAlsoInARepositoryHasTwoOwners() {
        for (var mark :
                new String[] {"app:external-secrets.io/ExternalSecret:team/config", "app:/Secret:team/config"}) {
            world.given("""
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: config, annotations: {argocd.argoproj.io/tracking-id: "%s"}}
                    stringData: {value: of-the-repository}
                    """.formatted(mark));
            givenData("", "{key: bucket, property: id}");
            world.settle();
            var told = world.events().stream().filter(event -> event.startsWith("TwoOwners: "));
            assertThat(told.count()).as(mark).isEqualTo(mark.contains(":/Secret:") ? 1 : 0);
        }
    }

    /// ES-7: values are bytes, and stay so.
    @Test
    void aTemplateKeepsBytesThatAreNoText() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: store, namespace: storage}
                data: {jks: /u3+7QAAAAL/, encoded: L3UzKzdRQUFBQUwv}
                """);
        given("""
                target:
                  template:
                    data:
                      jks: "{{ .jks }}"
                      again: "{{ .jks | b64enc }}"
                      decoded: "{{ .encoded | b64dec }}"
                      hex: '{{ "616263" | hexdec }}'
                      line: '{{ htpasswd "u" "p" "sha" }}'
                dataFrom: [{extract: {key: store}}]
                """);
        world.settle();
        var data = world.secret("config").orElseThrow().json().object("data");
        assertThat(data.string("jks")).isEqualTo("/u3+7QAAAAL/");
        assertThat(data.string("decoded")).isEqualTo("/u3+7QAAAAL/");
        assertThat(world.values("config"))
                .containsEntry("again", "/u3+7QAAAAL/")
                .containsEntry("hex", "abc")
                .containsEntry("line", "u:{SHA}UWuXg/ylF+7L0dBk2i0WUxCxl1k=");
    }

    /// ES-12.
    @Test
    void aRenamedTargetLeavesNothingBehind() {
        givenData("target: {name: first, creationPolicy: Owner}", "{key: bucket, property: id}");
        world.settle();
        givenData("target: {name: second, creationPolicy: Owner}", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.secret("first")).isEmpty();
        assertThat(world.values("second")).isEqualTo(Map.of("value", "one"));
    }

    /// ES-3.
    @Test
    void mergingIntoNothingWaits() {
        givenData("target: {creationPolicy: Merge}", "{key: bucket, property: id}");
        world.settle();
        assertThat(world.ready("config"))
                .isEqualTo("True SecretMissing: secret will not be created due to CreationPolicy=Merge");
    }

    /// ES-7.
    @Test
    void aTemplateWithTimeAndChanceSettles() {
        var spec = """
                target:
                  creationPolicy: Owner
                  template:
                    mergePolicy: Merge
                    metadata: {annotations: {who: "{{ .id }}"}}
                    data: {line: "{{ .id | upper }} {{ randAlphaNum 12 }} {{ now }}"}
                    templateFrom:
                    - {target: Data, literal: "a: {{ .id }}\\nb: {{ .id | b64enc }}"}
                data: [{secretKey: id, remoteRef: {key: bucket, property: id}}]
                """;
        given(spec);
        world.settle();
        var first = world.values("config");
        assertThat(first).containsEntry("id", "one").containsEntry("a", "one").containsEntry("b", "b25l");
        assertThat(first.get("line")).startsWith("ONE ");
        assertThat(world.secret("config").orElseThrow().annotations()).containsEntry("who", "one");
        assertThat(world.secret("config").orElseThrow().labels()).doesNotContainKey("app");

        world.pass(Duration.ofMinutes(5));
        world.settle();
        assertThat(world.values("config")).isEqualTo(first);
        world.pass(Duration.ofHours(1));
        world.settle();
        var second = world.values("config");
        assertThat(second.get("line")).isNotEqualTo(first.get("line"));

        // In the same second.
        given("annotations: {force-sync: \"1\"}", spec);
        world.settle();
        assertThat(world.values("config").get("line")).isNotEqualTo(second.get("line"));
    }

    /// ES-7 and bad input, a template that asks for a missing key.
    @Test
    void aBrokenTemplateTellsNoValue() {
        given("""
                target: {creationPolicy: Owner, template: {data: {x: "{{ .id | fail }}"}}}
                data: [{secretKey: id, remoteRef: {key: bucket, property: tls.crt}}]
                """);
        world.settle();
        assertThat(world.ready("config")).isEqualTo("False SecretSyncedError: could not update secret");
        assertThat(cause())
                .startsWith("unable to mutate secret config: could not apply template: ")
                .doesNotContain("PEM");
        given("""
                target: {creationPolicy: Owner, template: {data: {x: "{{ .missing }}"}}}
                data: [{secretKey: id, remoteRef: {key: bucket, property: id}}]
                """);
        world.settle();
        assertThat(cause()).contains("map has no entry for key \"missing\"");
    }

    /// ES-1, ES-6.
    @Test
    void findRewritesAndMergesWhatItFinds() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: other, namespace: storage}
                stringData: {x: "1"}
                """);
        given("""
                dataFrom:
                - find: {name: {regexp: "^buck.*"}}
                  rewrite: [{regexp: {source: "^(b)(.*)$", target: "$2-$1"}}, {transform: {template: "{{ .value | upper }}"}}]
                - find: {name: {regexp: "^oth"}}
                  rewrite: [{merge: {strategy: Extract}}]
                """);
        world.settle();
        assertThat(world.values("config")).containsOnlyKeys("UCKET-B", "x").containsEntry("x", "1");
    }

    /// Bad input, a template that never ends.
    @Test
    void whatNeverEndsIsStopped() {
        given("""
                target:
                  template:
                    data: {line: '{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}'}
                data: [{secretKey: id, remoteRef: {key: bucket, property: id}}]
                """);
        world.settle();
        assertThat(world.ready("config")).startsWith("False SecretSyncedError");
        assertThat(world.secret("config")).isEmpty();
        assertThat(cause()).doesNotContain("one");
    }

    /// Bad input, a regular expression that explodes.
    @Test
    void anExpressionThatExplodesElsewhereHasAnAnswer() {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: %s-b, namespace: storage}
                stringData: {x: "1"}
                """.formatted("a".repeat(200)));
        given("dataFrom: [{find: {name: {regexp: '^(a+)+$'}}}, {extract: {key: bucket}}]");
        world.settle();
        assertThat(world.values("config")).containsKey("id").doesNotContainKey("a".repeat(200) + "-b");
    }

    /// ES-10.
    @Test
    void deletingItTakesItsFinalizerAway() {
        givenData("target: {creationPolicy: Owner, deletionPolicy: Delete}", "{key: bucket, property: id}");
        world.settle();
        world.delete(SecretKinds.EXTERNAL_SECRET, "team", "config");
        world.settle();
        assertThat(world.secret("config")).isEmpty();
    }
}

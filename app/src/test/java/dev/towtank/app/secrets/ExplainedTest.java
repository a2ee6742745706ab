package dev.towtank.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.secrets.ChainFacts.BucketAnswer;
import dev.towtank.app.secrets.ChainFacts.Source;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplainedTest {

    private static final Resource SYNCED = object("""
            kind: ExternalSecret
            metadata: {name: config, namespace: models}
            spec: {secretStoreRef: {name: store}}
            status: {conditions: [{type: Ready, status: "True", reason: SecretSynced, message: secret synced}]}
            """);
    private static final Resource FAILED = object("""
            kind: ExternalSecret
            metadata: {name: config, namespace: models}
            spec: {secretStoreRef: {name: store}}
            status:
              cause: the cause
              conditions: [{type: Ready, status: "False", reason: SecretSyncedError, message: could not get secret data from provider}]
            """);
    private static final Resource STORE = object("""
            kind: SecretStore
            metadata: {name: store, namespace: models}
            spec: {provider: {kubernetes: {remoteNamespace: storage, auth: {serviceAccount: {name: reader}}}}}
            status: {conditions: [{type: Ready, status: "True", reason: Valid, message: store validated}]}
            """);
    private static final Resource CLAIM = object("""
            {metadata: {name: bucket, namespace: storage}, spec: {bucketName: b-1}, status: {phase: Bound}}""");
    private static final Resource SECRET = object("""
            metadata:
              name: config
              namespace: models
              managedFields: [{time: "2026-01-01T10:00:00Z", fieldsV1: {"f:data": {}}}]
            data: {KEY: aHVzaA==}
            """);
    private static final Resource POD = object("""
            metadata: {name: reader, namespace: models}
            spec: {containers: [{envFrom: [{secretRef: {name: config}}]}]}
            status: {containerStatuses: [{state: {running: {startedAt: "2026-01-01T11:00:00Z"}}}]}
            """);

    private Resource externalSecret = SYNCED;
    private Optional<Resource> store = Optional.of(STORE);
    private List<String> otherStores = List.of();
    private Source source = source(Map.of("KEY", "spec.data[0].remoteRef.property"), true, Optional.of(CLAIM));
    private List<String> missingVerbs = List.of();
    private Optional<Resource> target = Optional.of(SECRET);
    private Resource pod = POD;
    private Optional<BucketAnswer> bucket = Optional.empty();

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Source source(
            Map<String, String> properties, boolean isThere, Optional<Resource> claim, String... elsewhere) {
        return new Source(
                "storage",
                "bucket",
                properties,
                isThere ? Optional.of(SECRET) : Optional.empty(),
                claim,
                List.of(elsewhere));
    }

    private Chain chain() {
        return Explained.of(new ChainFacts(
                externalSecret,
                "SecretStore",
                "store",
                store,
                "told",
                otherStores,
                List.of(source),
                missingVerbs,
                target,
                List.of(pod),
                bucket));
    }

    private String states() {
        return String.join(
                " ",
                chain().links().stream()
                        .map(link -> link.name() + ":" + link.state().word())
                        .toList());
    }

    private Link link(String name) {
        return chain().links().stream()
                .filter(link -> link.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWholeChainIsWhole() {
        bucket = Optional.of(new BucketAnswer("b-1", "http://s3", ""));
        assertThat(states())
                .isEqualTo("claim:whole keys:whole store:whole sync:whole secret:whole s3:whole pods:whole");
        assertThat(chain().isWhole()).isTrue();
        assertThat(JsonAndText.of(chain())).doesNotContain("hush", "aHVzaA");
    }

    /// All that is ever shown.
    private static final class JsonAndText {
        static String of(Chain chain) {
            return chain.json() + new ChainPage(true, true, 80).show(List.of(chain));
        }
    }

    @Test
    void aClaimWithoutABucketIsWaitedFor() {
        externalSecret = FAILED;
        target = Optional.empty();
        source = source(Map.of(), false, Optional.of(object("{status: {phase: Pending, message: no class}}")));
        assertThat(states()).isEqualTo("claim:waiting keys:waiting store:whole sync:waiting secret:waiting pods:whole");
        source = source(Map.of(), false, Optional.of(object("{status: {phase: Failed, message: taken}}")));
        assertThat(link("claim").reason()).isEqualTo("taken");
        assertThat(link("keys").state()).isEqualTo(Link.State.BROKEN);
    }

    @Test
    void aMissingPropertyIsNamedWithWhoAsksForIt() {
        externalSecret = FAILED;
        source = source(Map.of("KEZ", "spec.data[0].remoteRef.property"), true, Optional.empty());
        assertThat(link("keys").reason()).isEqualTo("it has no KEZ");
        assertThat(link("keys").fixes().getFirst())
                .isEqualTo("change spec.data[0].remoteRef.property, which asks for KEZ, or add KEZ to the Secret");
        assertThat(link("sync").reason()).isEqualTo("the cause");
    }

    @Test
    void aSecretInAnotherNamespaceIsFound() {
        source = source(Map.of(), false, Optional.empty(), "elsewhere");
        assertThat(link("keys").fixes())
                .containsExactly("set provider.kubernetes.remoteNamespace of the store to elsewhere");
    }

    @Test
    void aMissingRightComesWithTheRoleThatGivesIt() {
        missingVerbs = List.of("get");
        assertThat(link("store").reason())
                .isEqualTo("ServiceAccount models/reader cannot get resource \"secrets\" in the namespace storage");
        assertThat(link("store").fixes())
                .containsExactly(
                        "kubectl -n storage create role models-reader --verb=get,list,watch --resource=secrets",
                        "kubectl -n storage create rolebinding models-reader --role=models-reader"
                                + " --serviceaccount=models:reader");
        assertThat(new ChainPage(false, false, 80).show(List.of(chain())))
                .contains("models/config  broken at store", "\nType\nkubectl -n storage create role models-reader");
    }

    @Test
    void aMissingStoreNamesThoseThereAre() {
        store = Optional.empty();
        otherStores = List.of("stores");
        assertThat(link("store").reason()).isEqualTo("there are: stores");
    }

    @Test
    void keysThatAreRefusedSayHow() {
        bucket = Optional.of(new BucketAnswer("b-1", "http://s3", "InvalidAccessKeyId"));
        assertThat(link("s3").fixes().getFirst()).contains("force-sync");
    }

    @Test
    void podsThatStartedBeforeAreStale() {
        pod = object(POD.json().toString().replace("T11:", "T09:"));
        assertThat(link("pods").state()).isEqualTo(Link.State.BROKEN);
        pod = object(pod.json().toString().replace("envFrom", "other"));
        assertThat(link("pods").state()).isEqualTo(Link.State.WHOLE);
    }

    @Test
    void namesDoNotPaintTheTerminal() {
        store = Optional.empty();
        otherStores = List.of("\033[2J");
        assertThat(new ChainPage(false, false, 80).show(List.of(chain()))).doesNotContain("\033");
    }
}

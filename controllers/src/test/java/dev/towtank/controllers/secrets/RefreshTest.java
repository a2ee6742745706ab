package dev.towtank.controllers.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// When values are read anew: ES-8 to ES-11.
class RefreshTest {

    private final SecretsWorld world = new SecretsWorld();

    private void givenStore(String annotations) {
        world.given("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader}
                ---
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store, annotations: {%s}}
                spec: {provider: {kubernetes: {auth: {serviceAccount: {name: reader}}, remoteNamespace: storage}}}
                """.formatted(annotations));
    }

    private void givenSource(String value) {
        world.given("""
                apiVersion: v1
                kind: Secret
                metadata: {name: bucket, namespace: storage}
                stringData: {id: %s}
                """.formatted(value));
    }

    private void given(String metadata, String spec) {
        world.given("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: config, finalizers: [%s], annotations: {%s}}
                spec:
                  secretStoreRef: {name: store}
                  data: [{secretKey: v, remoteRef: {key: bucket, property: id}}]
                """.formatted(ExternalSecretReconciler.FINALIZER, metadata) + spec.indent(2));
    }

    private String value() {
        return world.values("config").get("v");
    }

    /// ES-9: exactly as External Secrets does, where somebody wants that.
    @Test
    void aStoreThatIsNotWatchedWaitsForItsInterval() {
        givenStore("secrets.towtank.dev/watch-sources: \"false\"");
        givenSource("one");
        given("", "refreshInterval: 1h");
        world.settle();
        givenSource("two");
        world.pass(Duration.ofMinutes(59));
        world.settle();
        assertThat(value()).isEqualTo("one");
        world.pass(Duration.ofMinutes(2));
        world.settle();
        assertThat(value()).isEqualTo("two");
        givenSource("three");
        given("force-sync: \"1\"", "refreshInterval: 1h");
        world.settle();
        assertThat(value()).isEqualTo("three");
    }

    /// ES-1, sync windows: It is midnight when the world begins.
    @Test
    void windowsDecideWhenItIsTime() {
        givenStore("secrets.towtank.dev/watch-sources: \"false\"");
        givenSource("one");
        given("", """
                refreshInterval: 1h
                syncWindows: {kind: allow, windows: [{schedule: "0 6 * * *", duration: 2h}]}
                """);
        world.settle();
        givenSource("two");
        world.pass(Duration.ofHours(5));
        world.settle();
        assertThat(value()).isEqualTo("one");
        world.pass(Duration.ofMinutes(90));
        world.settle();
        assertThat(value()).isEqualTo("two");

        given("", """
                refreshInterval: 1h
                syncWindows: {kind: deny, windows: [{schedule: "0 6 * * *", duration: 12h}]}
                """);
        world.settle();
        givenSource("three");
        world.pass(Duration.ofHours(2));
        world.settle();
        assertThat(value()).isEqualTo("two");
        world.pass(Duration.ofHours(12));
        world.settle();
        assertThat(value()).isEqualTo("three");
    }

    /// ES-10.
    @Test
    void whatWasGivenAwayStays() {
        givenStore("");
        givenSource("one");
        given("", "target: {creationPolicy: Orphan}");
        world.settle();
        assertThat(world.secret("config").orElseThrow().owners()).isEmpty();
        world.delete(SecretKinds.EXTERNAL_SECRET, "team", "config");
        world.settle();
        assertThat(value()).isEqualTo("one");
    }

    /// ES-11.
    @Test
    void aSourceThatIsGoneLeavesTheTargetAsItWas() {
        givenStore("");
        givenSource("one");
        given("", "target: {creationPolicy: Owner, deletionPolicy: Retain}");
        world.settle();
        world.delete(Secrets.KIND, "storage", "bucket");
        world.settle();
        assertThat(world.ready("config")).startsWith("False SecretSyncedError");
        assertThat(value()).isEqualTo("one");
        givenSource("back");
        world.settle();
        assertThat(value()).isEqualTo("back");
    }

    /// Bad input, a find that matches 10,000 Secrets.
    @Test
    void aSearchThatFindsTooMuchIsRefused() {
        var secret = Resource.of((Json.Obj) YamlText.parse("{metadata: {name: x}, data: {}}"));
        var everything = new KubernetesProvider.Source() {
            @Override
            public Optional<Resource> get(String name) {
                return Optional.empty();
            }

            @Override
            public List<Resource> list(LabelSelector selector) {
                return Collections.nCopies(10_001, secret);
            }
        };
        var find = (Json.Obj) YamlText.parse("{name: {regexp: '.*'}}");
        assertThatThrownBy(() -> new KubernetesProvider(everything).find(find))
                .hasMessageContaining("more than 10000 match; narrow the search by tags");
    }
}

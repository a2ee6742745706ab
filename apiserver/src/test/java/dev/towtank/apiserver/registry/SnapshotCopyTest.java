package dev.towtank.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.store.Key;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotCopyTest {

    private static final SnapshotCopy COPY =
            new SnapshotCopy(Map.of("old-1", "new-1", "old-2", "new-2"), Instant.parse("2026-01-02T03:04:05Z"));

    private static Json.Obj json(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Key key(String group, String resource) {
        return new Key(new GroupResource(group, resource), new LogicalCluster("copy"), "team", "x");
    }

    @Test
    void everyMentionOfAnIdentityBecomesTheNewOne() {
        var copied = COPY.of(
                key("batch", "jobs"),
                json(
                        "{metadata: {name: x, uid: old-1, creationTimestamp: '2020-01-01T00:00:00Z', ownerReferences: [{uid:"
                                + " old-2}], labels: {controller-uid: old-1}}, spec: {selector: {matchLabels: {controller-uid:"
                                + " old-1}}, word: old}}"));
        assertThat(copied)
                .isEqualTo(json("{metadata: {name: x, uid: new-1, creationTimestamp: '2026-01-02T03:04:05Z',"
                        + " ownerReferences: [{uid: new-2}], labels: {controller-uid: new-1}}, spec: {selector:"
                        + " {matchLabels: {controller-uid: new-1}}, word: old}}"));
    }

    @Test
    void aDefinitionIsSharedAndNotCopied() {
        var definition = json("{metadata: {name: x, uid: old-1}, spec: {versions: [{schema: {a: b}}]}}");
        var copied = COPY.of(key("apiextensions.k8s.io", "customresourcedefinitions"), definition);
        assertThat(copied.object("spec")).isSameAs(definition.object("spec"));
        assertThat(copied.string("metadata", "uid")).isEqualTo("new-1");
    }

    @Test
    void keysAndPlacesStayBehind() {
        assertThat(SnapshotCopy.kept(
                        key("", "secrets"),
                        json("{type: kubernetes.io/service-account-token, data: {token: eA==, ca.crt: eQ==}}")))
                .contains(json("{type: kubernetes.io/service-account-token, data: {ca.crt: eQ==}}"));
        assertThat(SnapshotCopy.kept(key("", "secrets"), json("{type: Opaque, data: {token: eA==}}")))
                .contains(json("{type: Opaque, data: {token: eA==}}"));
        assertThat(SnapshotCopy.kept(
                        key("", "persistentvolumeclaims"),
                        json("{metadata: {annotations: {pv.kubernetes.io/bind-completed: 'yes', mine: a}}, spec:"
                                + " {volumeName: pv-1, storageClassName: fast}, status: {phase: Bound}}")))
                .contains(json("{metadata: {annotations: {mine: a}}, spec: {storageClassName: fast}, status: {phase:"
                        + " Pending}}"));
        assertThat(SnapshotCopy.kept(
                        key("", "services"),
                        json("{metadata: {name: web, namespace: team}, spec: {type: NodePort, clusterIP: 1.2.3.4,"
                                + " clusterIPs: [1.2.3.4], ports: [{port: 80, nodePort: 30080}]}}")))
                .contains(
                        json("{metadata: {name: web, namespace: team}, spec: {type: NodePort, ports: [{port: 80}]}}"));
    }

    @Test
    void whatBelongsToAMomentIsLeftOut() {
        assertThat(SnapshotCopy.kept(key("", "pods"), json("{metadata: {name: x}}")))
                .isEmpty();
        assertThat(SnapshotCopy.kept(
                        key("", "configmaps"),
                        json("{metadata: {name: x, deletionTimestamp: '2026-01-01T00:00:00Z'}}")))
                .isEmpty();
    }
}

package dev.towtank.node.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final Optional<Resource> LATER = Optional.of(object("""
            metadata: {name: local-path}
            provisioner: towtank.dev/local-path
            reclaimPolicy: Delete
            volumeBindingMode: WaitForFirstConsumer
            """));

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource claim(String more) {
        return object("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: shop, uid: u1 %s}
                spec: {accessModes: [ReadWriteOnce], storageClassName: local-path, volumeMode: Filesystem, resources: {requests: {storage: 2Gi}}}
                """.formatted(more));
    }

    private static Resource volume(String name, String size, String more) {
        return object("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec: {accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: local-path, volumeMode: Filesystem, capacity: {storage: %s} %s}
                """.formatted(name, size, more));
    }

    private static Plan reconcile(Resource claim, List<Resource> volumes, Optional<Resource> kind) {
        var facts = new VolumeClaimReconciler.Facts(volumes, kind);
        return new VolumeClaimReconciler(List.of("n1"))
                .reconcile(Observed.of(PersistentVolumeClaims.KIND, claim), facts, NOW);
    }

    private static String shown(Plan plan) {
        var names = plan.changes().stream()
                .map(change -> switch (change) {
                    case Change.Create(var _, var object) -> "create " + object.name();
                    case Change.TryCreate attempt -> "try " + attempt.object().name();
                    case Change.PatchFields(var _, var seen, var fields) ->
                        "patch " + seen.name() + " " + fields.object("spec");
                    case Change.SetStatus(var _, var seen, var status) ->
                        "status " + seen.name() + " " + status.string("phase");
                    case Change.Apply apply -> "apply " + apply.object().name();
                    case Change.Act act -> act.toString();
                    case Change.ActOnce act -> act.toString();
                    case Change.Delete delete -> "delete " + delete.seen().name();
                    case Change.Event event -> "event " + event.reason();
                })
                .toList();
        return String.join("; ", names);
    }

    @Test
    void waitsForAConsumer() {
        assertThat(shown(reconcile(claim(""), List.of(), LATER)))
                .isEqualTo("status data Pending; event WaitForFirstConsumer");
    }

    @Test
    void makesAVolumeWhenANodeWasChosen() {
        var chosen = claim(", annotations: {volume.kubernetes.io/selected-node: n1}");
        var plan = reconcile(chosen, List.of(), LATER);
        assertThat(shown(plan))
                .isEqualTo(
                        "create pvc-u1; patch data {\"volumeName\":\"pvc-u1\"}; status data Bound; event ProvisioningSucceeded");
        var made = ((Change.Create) plan.changes().getFirst()).object();
        assertThat(LocalVolumes.isOurs(made)).isTrue();
        assertThat(made.spec().string("claimRef", "uid")).isEqualTo("u1");
    }

    @Test
    void takesTheSmallestVolumeThatFits() {
        var chosen = claim(", annotations: {volume.kubernetes.io/selected-node: n1}");
        var volumes = List.of(
                volume("small", "1Gi", ""),
                volume("large", "9Gi", ""),
                volume("fitting", "3Gi", ""),
                volume("taken", "2Gi", ", claimRef: {name: other, namespace: shop, uid: u9}"));
        assertThat(shown(reconcile(chosen, volumes, LATER)))
                .startsWith("patch fitting {\"claimRef\"")
                .endsWith("patch data {\"volumeName\":\"fitting\"}; status data Bound");
    }

    @Test
    void isAtRestWhenBound() {
        var bound = object(claim("")
                .json()
                .with(List.of("spec", "volumeName"), Json.of("v"))
                .with("status", (Json.Obj) YamlText.parse(
                        "{phase: Bound, accessModes: [ReadWriteOnce, ReadOnlyMany], capacity: {storage: 3Gi}}"))
                .toString());
        var volume = volume("v", "3Gi", ", claimRef: {name: data, namespace: shop, uid: u1}");
        assertThat(reconcile(bound, List.of(volume), LATER)).isEqualTo(Plan.NONE);
        assertThat(shown(reconcile(bound, List.of(), LATER))).isEqualTo("status data Lost");
    }

    @Test
    void deletesAVolumeOfItsOwnWhenTheClaimIsGone() {
        var volume = object("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: v, annotations: {pv.kubernetes.io/provisioned-by: towtank.dev/local-path}}
                spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {name: data, namespace: shop, uid: u1}}
                """);
        var reconciler = new VolumeReconciler();
        var observed = Observed.of(PersistentVolumes.KIND, volume);
        assertThat(shown(reconciler.reconcile(observed, Optional.of(claim("")), NOW)))
                .isEqualTo("status v Bound");
        assertThat(shown(reconciler.reconcile(observed, Optional.empty(), NOW)))
                .isEqualTo("status v Released; delete v");
    }

    @Test
    void keepsAVolumeThatIsToBeKept() {
        var volume = volume(
                "v",
                "1Gi",
                ", persistentVolumeReclaimPolicy: Retain, claimRef: {name: data, namespace: shop, uid: u1}");
        assertThat(shown(new VolumeReconciler()
                        .reconcile(Observed.of(PersistentVolumes.KIND, volume), Optional.empty(), NOW)))
                .isEqualTo("status v Released");
    }
}

package dev.towtank.model.kinds.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadsTest {

    private static final KindTrial REPLICA_SET = new KindTrial(ReplicaSets.KIND);
    private static final KindTrial STATEFUL_SET = new KindTrial(StatefulSets.KIND);
    private static final KindTrial DAEMON_SET = new KindTrial(DaemonSets.KIND);
    private static final KindTrial REVISION = new KindTrial(ControllerRevisions.KIND);

    private static final String WEB = """
            metadata: {name: web, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers: [{name: nginx, image: "nginx:1"}]
            """;

    private static final String STATEFUL = WEB + """
              serviceName: web
              volumeClaimTemplates:
              - metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    @Test
    void replicaSetsWantOneReplica() {
        assertThat(REPLICA_SET.stored(WEB).integer("spec", "replicas")).isEqualTo(1);
        assertThat(REPLICA_SET.errors(WEB)).isEmpty();
        assertThat(REPLICA_SET.errors(WEB + "  replicas: -1\n"))
                .containsExactly("spec.replicas: Invalid value: -1: must be greater than or equal to 0");
    }

    @Test
    void replicaSetsNeverChangeTheirSelector() {
        assertThat(REPLICA_SET.updateErrors(WEB, WEB.replace("app: web", "app: db")))
                .containsExactly(
                        "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"db\"}}: field is immutable");
    }

    @Test
    void replicaSetsShowTheirCounts() {
        var object = REPLICA_SET.stored(WEB).with("status", KindTrial.yaml("{replicas: 3, readyReplicas: 2}"));
        assertThat(REPLICA_SET.headings())
                .containsExactly("Name", "Desired", "Current", "Ready", "Age", "Containers", "Images", "Selector");
        assertThat(REPLICA_SET.row(object, "2026-01-01T01:00:00Z"))
                .containsExactly("web", "1", "3", "2", "60m", "nginx", "nginx:1", "app=web");
        assertThat(REPLICA_SET.kind().rules().selectableFields()).isEmpty();
    }

    @Test
    void replicaSetStatusMustAddUp() {
        assertThat(REPLICA_SET.statusErrors("{}", "{status: {replicas: 1, fullyLabeledReplicas: 2}}"))
                .containsExactly(
                        "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas");
    }

    @Test
    void statefulSetsAreFilledIn() {
        var spec = STATEFUL_SET.stored(STATEFUL).object("spec");

        assertThat(spec.without("template").without("selector").without("volumeClaimTemplates"))
                .isEqualTo(KindTrial.yaml("""
                        serviceName: web
                        podManagementPolicy: OrderedReady
                        updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
                        persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}
                        replicas: 1
                        revisionHistoryLimit: 10
                        """));
        assertThat(spec.objects("volumeClaimTemplates").getFirst()).isEqualTo(KindTrial.yaml("""
                kind: PersistentVolumeClaim
                apiVersion: v1
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeMode: Filesystem}
                status: {phase: Pending}
                """));
    }

    @Test
    void podsOfAStatefulSetMayMountItsClaims() {
        var mounting = STATEFUL.replace(
                "image: \"nginx:1\"", "image: \"nginx:1\", volumeMounts: [{name: data, mountPath: /data}]");

        assertThat(STATEFUL_SET.errors(mounting)).isEmpty();
        assertThat(STATEFUL_SET.errors(mounting.replace("name: data, mountPath", "name: other, mountPath")))
                .containsExactly("spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"other\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            podManagementPolicy: Chaotic | spec.podManagementPolicy: Invalid value: "Chaotic": must be 'OrderedReady' or 'Parallel'
            updateStrategy: {type: Odd} | spec.updateStrategy: Invalid value: {"Type":"Odd","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'
            updateStrategy: {type: OnDelete, rollingUpdate: {partition: 1}} | spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy 'RollingUpdate'
            updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: -1}} | spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0
            updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0}} | spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0
            persistentVolumeClaimRetentionPolicy: {whenScaled: Keep} | spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"
            ordinals: {start: -2} | spec.ordinals.start: Invalid value: -2: must be greater than or equal to 0
            """)
    void statefulSetsRefuseWhatCannotBe(String field, String message) {
        assertThat(STATEFUL_SET.errors(STATEFUL + "  " + field + "\n")).containsExactly(message);
    }

    @Test
    void statefulSetsChangeOnlyInPart() {
        assertThat(STATEFUL_SET.updateErrors(STATEFUL, STATEFUL + "  replicas: 3\n  minReadySeconds: 5\n"))
                .isEmpty();
        for (var change : List.of("serviceName: other", "podManagementPolicy: Parallel")) {
            assertThat(STATEFUL_SET.updateErrors(
                            STATEFUL, STATEFUL.replace("  serviceName: web\n", "") + "  " + change + "\n"))
                    .containsExactly("spec: Forbidden: updates to statefulset spec for fields other than 'replicas',"
                            + " 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit',"
                            + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
        }
    }

    @Test
    void statefulSetsHaveNamesThatFitHostNames() {
        assertThat(StatefulSets.KIND.rules().nameRule().check("a.b", false)).containsExactly("must not contain dots");
    }

    @Test
    void statefulSetsShowWhatIsReady() {
        assertThat(STATEFUL_SET.headings()).containsExactly("Name", "Ready", "Age", "Containers", "Images");
        assertThat(STATEFUL_SET.row(STATEFUL_SET.stored(STATEFUL), "2026-01-03T00:00:00Z"))
                .containsExactly("web", "0/1", "2d", "nginx", "nginx:1");
    }

    @Test
    void daemonSetsAreFilledInAndCountTheirTemplates() {
        var stored = DAEMON_SET.stored(WEB);

        assertThat(stored.object("spec").without("template").without("selector"))
                .isEqualTo(KindTrial.yaml("""
                updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}
                revisionHistoryLimit: 10
                """));
        assertThat(generation(stored)).isEqualTo("1");
        var rules = DaemonSets.KIND.rules();
        assertThat(generation(rules.prepareUpdate(KindTrial.yaml(WEB), stored))).isEqualTo("1");
        assertThat(generation(rules.prepareUpdate(KindTrial.yaml(WEB.replace("nginx:1", "nginx:2")), stored)))
                .isEqualTo("2");
    }

    private static String generation(Json.Obj object) {
        return object.string("metadata", "annotations", "deprecated.daemonset.template.generation");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            updateStrategy: {type: Odd} | spec.updateStrategy: Unsupported value: {"Type":"Odd","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"
            updateStrategy: {rollingUpdate: {maxUnavailable: 0}} | spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0
            updateStrategy: {rollingUpdate: {maxSurge: 1}} | spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero
            minReadySeconds: -1 | spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
            """)
    void daemonSetsRefuseWhatCannotBe(String field, String message) {
        assertThat(DAEMON_SET.errors(WEB + "  " + field + "\n")).containsExactly(message);
    }

    @Test
    void anEmptySelectorOfADaemonSetIsRefused() {
        assertThat(DAEMON_SET.errors(WEB.replace("{matchLabels: {app: web}}", "{}")))
                .containsExactly("spec.selector: Invalid value: {}: empty selector is invalid for daemonset");
    }

    @Test
    void daemonSetsShowTheirNodes() {
        var object = DAEMON_SET
                .stored(WEB.replace("      containers", "      nodeSelector: {zone: b, arch: x}\n      containers"))
                .with("status", KindTrial.yaml("{desiredNumberScheduled: 3, currentNumberScheduled: 2}"));
        assertThat(DAEMON_SET.row(object, "2026-01-01T00:00:10Z"))
                .containsExactly("web", "3", "2", "0", "0", "0", "arch=x,zone=b", "10s", "nginx", "nginx:1", "app=web");
    }

    @Test
    void revisionsHoldDataThatNeverChanges() {
        assertThat(REVISION.errors("{metadata: {name: a}, revision: -1}"))
                .containsExactly(
                        "revision: Invalid value: -1: must be greater than or equal to 0",
                        "data: Required value: data is mandatory");
        assertThat(REVISION.errors("{metadata: {name: a}, revision: 1, data: [1]}"))
                .containsExactly("data: Required value: data must be a valid JSON object");
        assertThat(REVISION.updateErrors("{data: {a: 1}, revision: 1}", "{data: {a: 2}, revision: 2}"))
                .containsExactly("data: Invalid value: {\"a\":2}: field is immutable");
    }

    @Test
    void revisionsShowWhoseTheyAre() {
        assertThat(REVISION.row("""
                        metadata:
                          name: web-1
                          creationTimestamp: 2026-01-01T00:00:00Z
                          ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, controller: true}]
                        revision: 7
                        """, "2026-01-01T00:00:10Z"))
                .containsExactly("web-1", "statefulset.apps/web", "7", "10s");
    }
}

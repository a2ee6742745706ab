package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    @Nested
    class ServiceAccounts {

        private final ServiceAccountAdmission rule = new ServiceAccountAdmission(store, new Random(1));

        @BeforeEach
        void store() {
            put(store, "serviceaccounts", """
                    {'metadata': {'namespace': 'ci', 'name': 'default'}, 'imagePullSecrets': [{'name': 'registry'}]}""");
            put(store, "serviceaccounts", """
                    {'metadata': {'namespace': 'ci', 'name': 'quiet'}, 'automountServiceAccountToken': false}""");
        }

        @Test
        void givesPodsTheUsualAccountItsTokenAndItsPullSecrets() {
            var pod = Reviews.changed(rule, Reviews.POD, """
                    {'metadata': {'namespace': 'ci', 'name': 'job'},
                     'spec': {'containers': [{'name': 'a'}], 'initContainers': [{'name': 'b'}]}}""");
            var volume = pod.objects("spec", "volumes").getFirst().string("name");

            assertThat(volume).matches("kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}");
            var mount = "{'name': '" + volume
                    + "', 'readOnly': true, 'mountPath': '/var/run/secrets/kubernetes.io/serviceaccount'}";
            assertThat(pod.object("spec"))
                    .isEqualTo(json("""
                    {'serviceAccountName': 'default', 'serviceAccount': 'default',
                     'imagePullSecrets': [{'name': 'registry'}],
                     'containers': [{'name': 'a', 'volumeMounts': [MOUNT]}],
                     'initContainers': [{'name': 'b', 'volumeMounts': [MOUNT]}],
                     'volumes': [{'name': 'VOLUME', 'projected': {'defaultMode': 420, 'sources': [
                       {'serviceAccountToken': {'expirationSeconds': 3607, 'path': 'token'}},
                       {'configMap': {'name': 'kube-root-ca.crt', 'items': [{'key': 'ca.crt', 'path': 'ca.crt'}]}},
                       {'downwardAPI': {'items': [{'path': 'namespace',
                         'fieldRef': {'apiVersion': 'v1', 'fieldPath': 'metadata.namespace'}}]}}]}}]}""".replace("MOUNT", mount).replace("VOLUME", volume)));
        }

        @Test
        void mountsNoTokenWhereNobodyWantsOne() {
            for (var spec : new String[] {
                "{'serviceAccountName': 'quiet', 'containers': [{'name': 'a'}]}",
                "{'automountServiceAccountToken': false, 'containers': [{'name': 'a'}]}"
            }) {
                var pod = Reviews.changed(
                        rule, Reviews.POD, "{'metadata': {'namespace': 'ci', 'name': 'x'}, 'spec': " + spec + "}");
                assertThat(pod.at("spec", "volumes")).isNull();
            }
            var asked = Reviews.changed(rule, Reviews.POD, """
                    {'metadata': {'namespace': 'ci', 'name': 'x'}, 'spec': {'serviceAccountName': 'quiet',
                     'automountServiceAccountToken': true, 'containers': [{'name': 'a'}]}}""");
            assertThat(asked.array("spec", "volumes").size()).isOne();
        }

        @Test
        void leavesAMountThatIsThere() {
            var text = """
                    {'metadata': {'namespace': 'ci', 'name': 'x'}, 'spec': {'serviceAccountName': 'default',
                     'imagePullSecrets': [{'name': 'mine'}], 'containers': [{'name': 'a', 'volumeMounts': [
                       {'name': 'own', 'mountPath': '/var/run/secrets/kubernetes.io/serviceaccount'}]}]}}""";
            assertThat(Reviews.changed(rule, Reviews.POD, text)).isEqualTo(json(text));
        }

        @Test
        void refusesAnAccountThatIsMissing() {
            assertThatThrownBy(() -> Reviews.changed(rule, Reviews.POD, """
                            {'metadata': {'namespace': 'ci', 'name': 'x'}, 'spec': {'serviceAccountName': 'nobody'}}"""))
                    .hasMessage("pods \"x\" is forbidden: error looking up service account ci/nobody: serviceaccount"
                            + " \"nobody\" not found");
        }
    }

    @Test
    void toleratesTroubledNodesForFiveMinutes() {
        var rule = new NodeTolerations();
        assertThat(Reviews.changed(rule, Reviews.POD, "{'spec': {}}").array("spec", "tolerations"))
                .isEqualTo(json("""
                        {'a': [{'key': 'node.kubernetes.io/not-ready', 'operator': 'Exists', 'effect': 'NoExecute',
                                'tolerationSeconds': 300},
                               {'key': 'node.kubernetes.io/unreachable', 'operator': 'Exists', 'effect': 'NoExecute',
                                'tolerationSeconds': 300}]}""").array("a"));
        var everything = "{'spec': {'tolerations': [{'operator': 'Exists'}]}}";
        assertThat(Reviews.changed(rule, Reviews.POD, everything)).isEqualTo(json(everything));
        var one = "{'spec': {'tolerations': [{'key': 'node.kubernetes.io/not-ready', 'effect': 'NoExecute'}]}}";
        assertThat(Reviews.changed(rule, Reviews.POD, one)
                        .array("spec", "tolerations")
                        .size())
                .isEqualTo(2);
    }

    @Nested
    class Priorities {

        private final PriorityAdmission rule = new PriorityAdmission(store);

        @Test
        void givesPodsTheNumberOfTheirClass() {
            put(store, "priorityclasses.scheduling.k8s.io", """
                    {'metadata': {'name': 'batch'}, 'value': -5, 'preemptionPolicy': 'Never'}""");
            assertThat(spec("{}")).isEqualTo(json("{'priority': 0, 'preemptionPolicy': 'PreemptLowerPriority'}"));
            assertThat(spec("{'priorityClassName': 'batch'}")).isEqualTo(json("""
                    {'priorityClassName': 'batch', 'priority': -5, 'preemptionPolicy': 'Never'}"""));
            assertThat(spec("{'priorityClassName': 'system-node-critical'}").integer("priority"))
                    .isEqualTo(2_000_001_000);
            put(store, "priorityclasses.scheduling.k8s.io", """
                    {'metadata': {'name': 'usual'}, 'value': 7, 'globalDefault': true}""");
            assertThat(spec("{}")).isEqualTo(json("""
                    {'priorityClassName': 'usual', 'priority': 7, 'preemptionPolicy': 'PreemptLowerPriority'}"""));
        }

        @Test
        void refusesClassesThatAreMissingAndNumbersThatDoNotFit() {
            assertThatThrownBy(() -> spec("{'priorityClassName': 'none'}"))
                    .hasMessage("pods \"x\" is forbidden: no PriorityClass with name none was found");
            assertThatThrownBy(() -> spec("{'priority': 9}"))
                    .hasMessage(
                            "pods \"x\" is forbidden: the integer value of priority (9) must not be provided in pod spec;"
                                    + " priority admission controller computed 0 from the given PriorityClass name");
            assertThatThrownBy(() -> spec("{'preemptionPolicy': 'Never'}"))
                    .hasMessageContaining("the string value of PreemptionPolicy (Never) must not be provided");
        }

        @Test
        void keepsOneDefaultClass() {
            var kind = Kind.clusterScoped("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses");
            put(store, "priorityclasses.scheduling.k8s.io", "{'metadata': {'name': 'a'}, 'globalDefault': true}");
            assertThatThrownBy(() ->
                            rule.check(Reviews.create(kind, "{'metadata': {'name': 'b'}, 'globalDefault': true}")))
                    .hasMessage(
                            "priorityclasses.scheduling.k8s.io \"b\" is forbidden: PriorityClass a is already marked as"
                                    + " default. Only one default can exist");
        }

        private Json.Obj spec(String spec) {
            return Reviews.changed(rule, Reviews.POD, "{'metadata': {'name': 'x'}, 'spec': " + spec + "}")
                    .object("spec");
        }
    }

    @Test
    void givesClaimsTheDefaultStorageClass() {
        var rule = new StorageClassAdmission(store);
        assertThat(Reviews.changed(rule, Reviews.CLAIM, "{'spec': {}}")).isEqualTo(json("{'spec': {}}"));
        put(store, "storageclasses.storage.k8s.io", """
                {'metadata': {'name': 'old', 'creationTimestamp': '2025-01-01T00:00:00Z',
                 'annotations': {'storageclass.kubernetes.io/is-default-class': 'true'}}}""");
        put(store, "storageclasses.storage.k8s.io", """
                {'metadata': {'name': 'new', 'creationTimestamp': '2026-01-01T00:00:00Z',
                 'annotations': {'storageclass.kubernetes.io/is-default-class': 'true'}}}""");
        put(store, "storageclasses.storage.k8s.io", "{'metadata': {'name': 'other'}}");

        assertThat(Reviews.changed(rule, Reviews.CLAIM, "{'spec': {}}").string("spec", "storageClassName"))
                .isEqualTo("new");
        assertThat(Reviews.changed(rule, Reviews.CLAIM, "{'spec': {'storageClassName': ''}}"))
                .isEqualTo(json("{'spec': {'storageClassName': ''}}"));
    }

    @Test
    void protectsClaimsInUse() {
        assertThat(Reviews.changed(new StorageProtection(), Reviews.CLAIM, "{'metadata': {'finalizers': ['a/b']}}"))
                .isEqualTo(json("{'metadata': {'finalizers': ['a/b', 'kubernetes.io/pvc-protection']}}"));
        assertThat(Reviews.changed(new StorageProtection(), Reviews.POD, "{'metadata': {}}"))
                .isEqualTo(json("{'metadata': {}}"));
    }
}

package dev.towtank.model.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreDefaultsTest {

    @Test
    void podsAreCompleteAfterDefaulting() {
        var pod = created(Pods.KIND, """
                metadata: {name: web}
                spec:
                  serviceAccount: robot
                  hostNetwork: true
                  volumes: [{name: a}, {name: b, secret: {secretName: s}}, {name: c, hostPath: {path: /}}]
                  containers:
                  - name: app
                    image: nginx
                    ports: [{containerPort: 80}]
                    resources: {limits: {cpu: 0.5, memory: 1024Mi}}
                    livenessProbe: {httpGet: {port: 80}}
                    env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
                """);
        assertThat(pod).isEqualTo(parse("""
                                metadata: {name: web}
                                spec:
                                  serviceAccount: robot
                                  serviceAccountName: robot
                                  hostNetwork: true
                                  restartPolicy: Always
                                  dnsPolicy: ClusterFirst
                                  schedulerName: default-scheduler
                                  securityContext: {}
                                  terminationGracePeriodSeconds: 30
                                  enableServiceLinks: true
                                  volumes:
                                  - {name: a, emptyDir: {}}
                                  - {name: b, secret: {secretName: s, defaultMode: 420}}
                                  - {name: c, hostPath: {path: /, type: ""}}
                                  containers:
                                  - name: app
                                    image: nginx
                                    imagePullPolicy: Always
                                    terminationMessagePath: /dev/termination-log
                                    terminationMessagePolicy: File
                                    ports: [{containerPort: 80, hostPort: 80, protocol: TCP}]
                                    resources: {limits: {cpu: 500m, memory: 1Gi}, requests: {cpu: 500m, memory: 1Gi}}
                                    livenessProbe:
                                      httpGet: {port: 80, path: /, scheme: HTTP}
                                      timeoutSeconds: 1
                                      periodSeconds: 10
                                      successThreshold: 1
                                      failureThreshold: 3
                                    env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name, apiVersion: v1}}}]
                                status: {phase: Pending, qosClass: Guaranteed}
                                """));
    }

    @ParameterizedTest
    @CsvSource({
        "nginx, Always",
        "nginx:latest, Always",
        "nginx:1.29, IfNotPresent",
        "localhost:5000/a/b, Always",
        "localhost:5000/a/b:v1, IfNotPresent",
        "nginx@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, IfNotPresent",
        "NGINX, IfNotPresent",
    })
    void imagesThatChangeUnderTheirNameArePulledAlways(String image, String policy) {
        var pod = created(Pods.KIND, "{spec: {containers: [{name: a, image: \"" + image + "\"}]}}");
        assertThat(pod.objects("spec", "containers").getFirst().string("imagePullPolicy"))
                .isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}                                                               | BestEffort
                    {requests: {cpu: 1}}                                             | Burstable
                    {limits: {cpu: 1}}                                               | Burstable
                    {limits: {cpu: 1, memory: 1Gi}}                                  | Guaranteed
                    {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}}           | Burstable
                    {limits: {example.com/gpu: 1}}                                   | BestEffort
                    """)
    void serviceClassFollowsFromResources(String resources, String qosClass) {
        var pod = created(Pods.KIND, "{spec: {containers: [{name: a, image: i, resources: " + resources + "}]}}");
        assertThat(pod.string("status", "qosClass")).isEqualTo(qosClass);
    }

    @Test
    void podsEndInPeaceOnlyWhereTheyRun() {
        var pod = created(Pods.KIND, "{spec: {containers: []}}");
        assertThat(Pods.KIND.rules().deletionGraceSeconds(pod)).isZero();
        var running = pod.with(List.of("spec", "nodeName"), Json.of("n1"));
        assertThat(Pods.KIND.rules().deletionGraceSeconds(running)).isEqualTo(30);
        var over = running.with(List.of("status", "phase"), Json.of("Failed"));
        assertThat(Pods.KIND.rules().deletionGraceSeconds(over)).isZero();
    }

    @Test
    void namespacesAreLabelledAndFinalized() {
        var namespace = created(Namespaces.KIND, "{metadata: {name: a}}");
        assertThat(namespace).isEqualTo(parse("""
                                metadata: {name: a, labels: {kubernetes.io/metadata.name: a}}
                                spec: {finalizers: [kubernetes]}
                                status: {phase: Active}
                                """));
        assertThat(Namespaces.KIND.rules().keepsWhileDeleting(namespace)).isTrue();
        assertThat(Namespaces.KIND.rules().beginDeletion(namespace).string("status", "phase"))
                .isEqualTo("Terminating");
        var stripped = namespace.without("spec");
        assertThat(Namespaces.KIND.rules().prepareUpdate(stripped, namespace)).isEqualTo(namespace);
    }

    @Test
    void textsOfSecretsAreStoredAsBase64() {
        var secret = created(Secrets.KIND, "{data: {a: QQ==, b: QQ==}, stringData: {b: hello, c: \"\"}}");
        assertThat(secret).isEqualTo(parse("{type: Opaque, data: {a: QQ==, b: aGVsbG8=, c: \"\"}}"));
    }

    @ParameterizedTest
    @CsvSource({"not base64, 3", "QQ=, 3", "QQ, 0", "QUJDR, 4", "=, 0", "QQ==x, 4", "'QUJ\nD', -1"})
    void valuesThatAreNotBase64AreRefusedByTheDecoder(String value, int at) {
        var secret = Json.Obj.of("data", Json.Obj.of("a", Json.of(value)));
        if (at < 0) {
            assertThat(Secrets.KIND.rules().prepareCreate(secret)).isEqualTo(secret);
            return;
        }
        assertThatThrownBy(() -> Secrets.KIND.rules().prepareCreate(secret))
                .hasMessage("Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte "
                        + at);
    }

    @ParameterizedTest
    @CsvSource({
        "ConfigMap, <nil>: Too long: may not be more than 1048576 bytes",
        "Secret, data: Too long: may not be more than 1048576 bytes"
    })
    void oneMebibyteIsTheMost(String name, String message) {
        Kind<?> kind = name.equals("Secret") ? Secrets.KIND : ConfigMaps.KIND;
        var text = "AAAA".repeat(ConfigMaps.MAX_BYTES / 3 + 1);
        var errors = new FieldError.Collector();
        kind.rules().validate(Json.Obj.of("data", Json.Obj.of("a", Json.of(text))), errors);
        assertThat(errors.errors().stream().map(FieldError::message)).containsExactly(message);
    }

    @Test
    void servicesAreCompleteAfterDefaulting() {
        var service = created(
                Services.KIND,
                "{spec: {type: NodePort, selector: {a: b}, ports: [{port: 80}, {port: 1, targetPort: x}]}}");
        assertThat(Services.needsClusterIp(service)).isTrue();
        assertThat(Services.needsNodePort(service, 1)).isTrue();
        assertThat(Services.withNodePort(Services.withClusterIp(service, "10.0.0.1"), 0, 30000))
                .isEqualTo(parse("""
                                spec:
                                  type: NodePort
                                  clusterIP: 10.0.0.1
                                  clusterIPs: [10.0.0.1]
                                  ipFamilies: [IPv4]
                                  ipFamilyPolicy: SingleStack
                                  sessionAffinity: None
                                  externalTrafficPolicy: Cluster
                                  internalTrafficPolicy: Cluster
                                  selector: {a: b}
                                  ports:
                                  - {port: 80, protocol: TCP, targetPort: 80, nodePort: 30000}
                                  - {port: 1, protocol: TCP, targetPort: x}
                                status: {loadBalancer: {}}
                                """));
    }

    @Test
    void changingTheTypeOfAServiceDropsWhatOnlyTheOldOneHad() {
        var old = Services.withClusterIp(
                created(Services.KIND, "{spec: {type: LoadBalancer, ports: [{port: 80, nodePort: 30000}]}}"),
                "10.0.0.1");
        var edited = old.with(List.of("spec", "type"), Json.of("ClusterIP"));
        var updated = Services.KIND.rules().prepareUpdate(edited, old);
        assertThat(updated.object("spec").keys())
                .doesNotContain("externalTrafficPolicy", "allocateLoadBalancerNodePorts")
                .contains("clusterIP");
        assertThat(updated.objects("spec", "ports").getFirst().has("nodePort")).isFalse();
    }

    @Test
    void nodePortsSurviveAnUpdateThatDoesNotNameThem() {
        var old = created(
                Services.KIND, "{spec: {type: NodePort, clusterIP: 10.0.0.1, ports: [{port: 80, nodePort: 30000}]}}");
        var edited = Services.KIND.rules().defaults(parse("{spec: {type: NodePort, ports: [{port: 81}]}}"));
        var updated = Services.KIND.rules().prepareUpdate(edited, old);
        assertThat(updated.objects("spec", "ports").getFirst().integer("nodePort"))
                .isEqualTo(30000);
        assertThat(updated.string("spec", "clusterIP")).isEqualTo("10.0.0.1");
    }

    @Test
    void headlessServicesWithoutSelectorMeanBothFamilies() {
        var service = created(Services.KIND, "{spec: {clusterIP: None}}");
        assertThat(Services.isHeadless(service)).isTrue();
        assertThat(service.string("spec", "ipFamilyPolicy")).isEqualTo("RequireDualStack");
        assertThat(service.array("spec", "ipFamilies").strings()).containsExactly("IPv4", "IPv6");
    }

    @Test
    void claimsAndVolumesWait() {
        assertThat(created(PersistentVolumeClaims.KIND, "{spec: {resources: {requests: {storage: 2048Mi}}}}"))
                .isEqualTo(
                        parse(
                                "{spec: {volumeMode: Filesystem, resources: {requests: {storage: 2Gi}}}, status: {phase: Pending}}"));
        assertThat(created(PersistentVolumes.KIND, "{spec: {capacity: {storage: 1}}}"))
                .isEqualTo(
                        parse(
                                "{spec: {capacity: {storage: \"1\"}, persistentVolumeReclaimPolicy: Retain, volumeMode: Filesystem}, status: {phase: Pending}}"));
    }

    @Test
    void boundClaimsGrowAndDoNotShrinkBelowWhatTheyHave() {
        var old = parse("""
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 4Gi}}, volumeMode: Filesystem}
                status: {phase: Bound, capacity: {storage: 2Gi}}
                """);
        assertThat(claimUpdate(old, "8Gi")).isEmpty();
        assertThat(claimUpdate(old, "3Gi")).isEmpty();
        assertThat(claimUpdate(old, "1Gi"))
                .containsExactly(
                        "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity");
    }

    private static List<String> claimUpdate(Json.Obj old, String size) {
        var errors = new FieldError.Collector();
        var updated = old.with(List.of("spec", "resources", "requests", "storage"), Json.of(size));
        PersistentVolumeClaims.KIND.rules().validateUpdate(updated, old, errors);
        return errors.errors().stream().map(FieldError::message).toList();
    }

    @Test
    void limitsOfContainersFillInEachOther() {
        var range =
                created(LimitRanges.KIND, "{spec: {limits: [{type: Container, max: {cpu: 2}, min: {memory: 1Gi}}]}}");
        assertThat(range).isEqualTo(parse("""
                                spec:
                                  limits:
                                  - type: Container
                                    max: {cpu: "2"}
                                    min: {memory: 1Gi}
                                    default: {cpu: "2"}
                                    defaultRequest: {cpu: "2", memory: 1Gi}
                                """));
    }

    @Test
    void fieldSelectorsSeeTheFieldsOfTheirKind() {
        var pod = created(Pods.KIND, "{spec: {nodeName: n1, containers: []}}");
        assertThat(Pods.KIND.rules().selectableFields().get("spec.nodeName").apply(pod))
                .isEqualTo("n1");
        assertThat(Pods.KIND.rules().selectableFields().get("spec.hostNetwork").apply(pod))
                .isEqualTo("false");
        assertThat(Pods.KIND.rules().selectableFields().get("status.phase").apply(pod))
                .isEqualTo("Pending");
        var event = parse("{involvedObject: {uid: u}, reportingComponent: c}");
        assertThat(Events.KIND
                        .rules()
                        .selectableFields()
                        .get("involvedObject.uid")
                        .apply(event))
                .isEqualTo("u");
        assertThat(Events.KIND.rules().selectableFields().get("source").apply(event))
                .isEqualTo("c");
        assertThat(Nodes.KIND
                        .rules()
                        .selectableFields()
                        .get("spec.unschedulable")
                        .apply(event))
                .isEqualTo("false");
    }

    private static Json.Obj created(Kind<?> kind, String yaml) {
        return KindRulesTest.created(kind, parse(yaml));
    }

    private static Json.Obj parse(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }
}

package dev.towtank.model.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoreColumnsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Namespace             | Name Status Age
                    Pod                   | Name Ready Status Restarts Age (IP) (Node) (Nominated Node) (Readiness Gates)
                    Service               | Name Type Cluster-IP External-IP Port(s) Age (Selector)
                    Endpoints             | Name Endpoints Age
                    ConfigMap             | Name Data Age
                    Secret                | Name Type Data Age
                    ServiceAccount        | Name Age
                    PersistentVolume      | Name Capacity Access Modes Reclaim Policy Status Claim StorageClass VolumeAttributesClass Reason Age (VolumeMode)
                    PersistentVolumeClaim | Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age (VolumeMode)
                    Event                 | Last Seen Type Reason Object (Subobject) (Source) Message (First Seen) (Count) (Name)
                    Node                  | Name Status Roles Age Version (Internal-IP) (External-IP) (OS-Image) (Kernel-Version) (Container-Runtime)
                    LimitRange            | Name Created At
                    ResourceQuota         | Name Request Limit Age
                    """)
    void headingsAreThoseOfKubectl(String name, String headings) {
        var shown = kind(name).columns().stream()
                .map(column -> column.priority() > 0 ? "(" + column.name() + ")" : column.name())
                .collect(Collectors.joining(" "));
        assertThat(shown).isEqualTo(headings);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {phase: Pending}                                                                                        | 0/1 Pending 0
                    {phase: Failed, reason: Evicted}                                                                        | 0/1 Evicted 0
                    {phase: Pending, conditions: [{type: PodScheduled, reason: SchedulingGated}]}                           | 0/1 SchedulingGated 0
                    {phase: Running, containerStatuses: [{ready: true, state: {running: {}}}]}                              | 1/1 Running 0
                    {phase: Running, containerStatuses: [{ready: false, state: {running: {}}, restartCount: 3}]}            | 0/1 Running 3
                    {phase: Pending, containerStatuses: [{state: {waiting: {reason: ContainerCreating}}}]}                  | 0/1 ContainerCreating 0
                    {phase: Running, containerStatuses: [{restartCount: 4, lastState: {terminated: {finishedAt: "2026-01-01T00:58:00Z"}}, state: {waiting: {reason: CrashLoopBackOff}}}]} | 0/1 CrashLoopBackOff 4 (2m ago)
                    {phase: Succeeded, containerStatuses: [{state: {terminated: {reason: Completed, exitCode: 0}}}]}        | 0/1 Completed 0
                    {phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 3}}}]}                              | 0/1 ExitCode:3 0
                    {phase: Failed, containerStatuses: [{state: {terminated: {signal: 9, exitCode: 137}}}]}                 | 0/1 Signal:9 0
                    {phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}], conditions: [{type: Ready, status: "True"}]} | 1/1 Running 0
                    {phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}]} | 1/1 NotReady 0
                    {phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, {state: {terminated: {reason: Error, exitCode: 1}}}]} | 0/1 Error 0
                    """)
    void podsShowWhatTheirContainersDo(String status, String row) {
        var pod =
                parse("{metadata: {name: p}, spec: {containers: [{name: a}]}}").with("status", parse(status));
        assertThat(podRow(pod)).isEqualTo(row);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    [{name: one, state: {running: {}}}]                                                        | 0/2 Init:0/2 0
                    [{name: one, state: {terminated: {exitCode: 0}}}, {name: side, state: {waiting: {reason: PodInitializing}}}] | 0/2 Init:1/2 0
                    [{name: one, restartCount: 2, state: {terminated: {exitCode: 1, reason: Error}}}]          | 0/2 Init:Error 2
                    [{name: one, state: {terminated: {exitCode: 7}}}]                                          | 0/2 Init:ExitCode:7 0
                    [{name: one, restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}}]               | 0/2 Init:CrashLoopBackOff 5
                    [{name: one, restartCount: 1, state: {terminated: {exitCode: 0}}}, {name: side, started: true, ready: true, restartCount: 2, state: {running: {}}}] | 1/2 PodInitializing 2
                    """)
    void initContainersComeFirst(String statuses, String row) {
        var pod = parse("""
                metadata: {name: p}
                spec: {containers: [{name: a}], initContainers: [{name: one}, {name: side, restartPolicy: Always}]}
                status: {phase: Pending, containerStatuses: [{state: {waiting: {reason: PodInitializing}}}]}
                """);
        pod = pod.with(List.of("status", "initContainerStatuses"), YamlText.parse(statuses));
        assertThat(podRow(pod)).isEqualTo(row);
    }

    @ParameterizedTest
    @CsvSource({"Running,Terminating", "Failed,Failed"})
    void deletedPodsAreTerminatingUntilTheyEnd(String phase, String shown) {
        var pod = parse("{metadata: {name: p, deletionTimestamp: \"2026-01-01T00:00:00Z\"}, spec: {containers: [{}]}}")
                .with("status", parse("{phase: " + phase + "}"));
        assertThat(podRow(pod)).isEqualTo("0/1 " + shown + " 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                kind: Service
                metadata: {name: web, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec: {type: LoadBalancer, clusterIPs: [10.0.0.1], externalIPs: [5.6.7.8], selector: {b: c, a: b}, ports: [{port: 80, nodePort: 30080, protocol: TCP}, {port: 443, protocol: TCP}]}
                status: {loadBalancer: {ingress: [{ip: 1.2.3.4}, {hostname: lb}]}}
                row: [web, LoadBalancer, 10.0.0.1, "1.2.3.4,lb,5.6.7.8", "80:30080/TCP,443/TCP", 60m, "a=b,b=c"]
                """, """
                kind: Service
                metadata: {name: out, creationTimestamp: "2026-01-01T00:59:00Z"}
                spec: {type: ExternalName, externalName: example.com}
                row: [out, ExternalName, <none>, example.com, <none>, 60s, <none>]
                """, """
                kind: Endpoints
                metadata: {name: web}
                subsets: [{addresses: [{ip: 10.0.0.1}, {ip: "fd00::1"}], ports: [{port: 80}, {port: 81}]}]
                row: [web, "10.0.0.1:80,[fd00::1]:80,10.0.0.1:81 + 1 more...", <unknown>]
                """, """
                kind: ConfigMap
                metadata: {name: c}
                data: {a: b}
                binaryData: {c: AAAA}
                row: [c, 2, <unknown>]
                """, """
                kind: PersistentVolumeClaim
                metadata: {name: data}
                spec: {volumeName: pv1, storageClassName: fast, volumeMode: Filesystem}
                status: {phase: Bound, capacity: {storage: 1Gi}, accessModes: [ReadWriteMany, ReadWriteOnce]}
                row: [data, Bound, pv1, 1Gi, "RWO,RWX", fast, <unset>, <unknown>, Filesystem]
                """, """
                kind: PersistentVolume
                metadata: {name: pv1, deletionTimestamp: "2026-01-01T00:00:00Z"}
                spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOncePod], persistentVolumeReclaimPolicy: Retain, claimRef: {namespace: a, name: b}}
                status: {phase: Bound}
                row: [pv1, 1Gi, RWOP, Retain, Terminating, a/b, "", <unset>, "", <unknown>, <unset>]
                """, """
                kind: Event
                metadata: {name: e}
                involvedObject: {kind: Pod, name: web, fieldPath: "spec.containers{app}"}
                type: Normal
                reason: Pulled
                message: " done\\n"
                source: {component: kubelet, host: n1}
                firstTimestamp: "2026-01-01T00:00:00Z"
                lastTimestamp: "2026-01-01T00:55:00Z"
                count: 4
                row: [5m, Normal, Pulled, pod/web, "spec.containers{app}", "kubelet, n1", done, 60m, 4, e]
                """, """
                kind: Node
                metadata: {name: n1, labels: {node-role.kubernetes.io/worker: "", kubernetes.io/role: edge}}
                spec: {unschedulable: true}
                status:
                  conditions: [{type: Ready, status: "False"}]
                  addresses: [{type: InternalIP, address: 10.0.0.9}]
                  nodeInfo: {kubeletVersion: v1.35.0, kernelVersion: "6.1", architecture: amd64}
                row: [n1, "NotReady,SchedulingDisabled", "edge,worker", <unknown>, v1.35.0, 10.0.0.9, <none>, <unknown>, "6.1 (amd64)", <unknown>]
                """, """
                kind: ResourceQuota
                metadata: {name: q}
                status: {hard: {pods: "10", limits.cpu: "4", cpu: "2"}, used: {pods: "3", cpu: 500m}}
                row: [q, "cpu: 500m/2, pods: 3/10", "limits.cpu: 0/4", <unknown>]
                """})
    void rowsReadAsInKubectl(String text) {
        var object = parse(text);
        var row = kind(object.string("kind")).columns().stream()
                .map(column -> column.cell().of(object, NOW))
                .toList();
        assertThat(row).isEqualTo(object.array("row").items());
    }

    private static String podRow(Json.Obj pod) {
        return Pods.KIND.columns().stream()
                .filter(column -> List.of("Ready", "Status", "Restarts").contains(column.name()))
                .map(column -> column.cell().of(pod, NOW).display())
                .collect(Collectors.joining(" "));
    }

    private static Kind<?> kind(String name) {
        return CoreKinds.ALL.stream()
                .filter(kind -> kind.kind().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Json.Obj parse(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }
}

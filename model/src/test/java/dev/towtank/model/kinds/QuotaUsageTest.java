package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaUsageTest {

    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private static final GroupResource PODS = GroupResource.parse("pods");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    configmaps             | {}                                                     | configmaps=1 count/configmaps=1
                    jobs.batch             | {}                                                     | count/jobs.batch=1
                    services               | {spec: {type: NodePort, ports: [{}, {}]}}              | count/services=1 services=1 services.loadbalancers=0 services.nodeports=2
                    services               | {spec: {type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{nodePort: 1}, {}]}} | count/services=1 services=1 services.loadbalancers=1 services.nodeports=1
                    persistentvolumeclaims | {spec: {storageClassName: fast, resources: {requests: {storage: 1Gi}}}} | count/persistentvolumeclaims=1 fast.storageclass.storage.k8s.io/persistentvolumeclaims=1 fast.storageclass.storage.k8s.io/requests.storage=1Gi persistentvolumeclaims=1 requests.storage=1Gi
                    pods                   | {spec: {containers: [{}]}}                             | count/pods=1 pods=1
                    pods                   | {spec: {containers: [{resources: {requests: {cpu: 100m, memory: 1Gi, example.com/gpu: 1}, limits: {cpu: 1}}}]}} | count/pods=1 cpu=100m limits.cpu=1 memory=1Gi pods=1 requests.cpu=100m requests.example.com/gpu=1 requests.memory=1Gi
                    pods                   | {status: {phase: Failed}, spec: {containers: [{}]}}    | count/pods=1
                    pods                   | {metadata: {deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30}, spec: {}} | count/pods=1
                    """)
    void countsWhatAnObjectUses(String resource, String object, String usage) {
        var used = QuotaUsage.of(GroupResource.parse(resource), parse(object), NOW);
        assertThat(used.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(usage);
    }

    @Test
    void initContainersCountWhenTheyNeedMoreThanAllOthers() {
        var spec = parse("""
                containers: [{resources: {requests: {cpu: 100m}}}, {resources: {requests: {cpu: 200m}}}]
                initContainers:
                - {resources: {requests: {cpu: 250m}}}
                - {restartPolicy: Always, resources: {requests: {cpu: 50m}}}
                - {resources: {requests: {cpu: 320m}}}
                overhead: {cpu: 10m}
                """);
        assertThat(PodResources.requests(spec).get("cpu")).hasToString("380m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {scopes: [Terminating]}     | {activeDeadlineSeconds: 5}                                      | true
                    {scopes: [Terminating]}     | {}                                                              | false
                    {scopes: [NotTerminating]}  | {}                                                              | true
                    {scopes: [BestEffort]}      | {containers: [{}]}                                              | true
                    {scopes: [BestEffort]}      | {containers: [{resources: {requests: {cpu: 1}}}]}               | false
                    {scopes: [NotBestEffort]}   | {containers: [{resources: {requests: {cpu: 1}}}]}               | true
                    {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}} | {priorityClassName: high} | true
                    {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}} | {priorityClassName: low}  | false
                    {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}}             | {}                        | false
                    """)
    void scopesTakePodsInOrLeaveThemOut(String scopes, String spec, boolean in) {
        var quota = Json.Obj.of("spec", parse(scopes).with("hard", parse("{pods: 1}")));
        var charged = QuotaUsage.charged(quota, PODS, Json.Obj.of("spec", parse(spec)), NOW);
        assertThat(charged.keySet().equals(Set.of("pods"))).isEqualTo(in);
    }

    @Test
    void podsUnderAQuotaSayWhatTheyWant() {
        var quota = parse("{spec: {hard: {limits.cpu: 1, requests.memory: 1Gi, pods: 3}}}");
        var pod = parse(
                "{spec: {containers: [{name: a, resources: {limits: {cpu: 1}}}, {name: b}], initContainers: [{name: c}]}}");
        assertThat(QuotaUsage.unsaid(quota, pod))
                .contains("must specify limits.cpu for: b,c; requests.memory for: a,b,c");
        var silent = parse("{spec: {hard: {pods: 3}}}");
        assertThat(QuotaUsage.unsaid(silent, pod)).isEmpty();
    }

    private static Json.Obj parse(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }
}

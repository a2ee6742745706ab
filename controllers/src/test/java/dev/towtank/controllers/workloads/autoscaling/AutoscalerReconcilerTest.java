package dev.towtank.controllers.workloads.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Facts;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Remember;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Target;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.autoscaling.HorizontalPodAutoscalers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoscalerReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

    private static Resource object(String yaml) {
        return new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse(yaml));
    }

    /// @param more lines of the spec
    private static Resource autoscaler(String more) {
        var given = object("""
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: web, namespace: team, uid: h}
                spec:
                  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
                  minReplicas: 1
                  maxReplicas: 10
                """ + more);
        return given.with(HorizontalPodAutoscalers.KIND.rules().defaults(given.json()));
    }

    private static Target target(int replicas) {
        return Target.of(Deployments.KIND, object("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: team, uid: d}
                spec: {replicas: %d, selector: {matchLabels: {app: web}}}
                status: {replicas: %d}
                """.formatted(replicas, replicas)));
    }

    private static Pod pod(String name, String request) {
        return new Pod(object("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: team, labels: {app: web}}
                spec: {containers: [{name: main, resources: {requests: {%s}}}]}
                status:
                  phase: Running
                  startTime: 2026-01-01T00:00:00Z
                  conditions: [{type: Ready, status: "True", lastTransitionTime: 2026-01-01T00:00:05Z}]
                """.formatted(name, request)));
    }

    /// Pods that request a tenth of a processor.
    ///
    /// @param millis what each uses; below zero where it is not known
    private static Facts facts(int replicas, ScalingMemory memory, int... millis) {
        var pods = new ArrayList<Pod>();
        Map<String, Map<String, Usage>> usage = new HashMap<>();
        for (int i = 0; i < millis.length; i++) {
            pods.add(pod("p" + i, "cpu: 100m"));
            if (millis[i] >= 0) {
                usage.put(
                        "p" + i,
                        Map.of("main", new Usage(NOW, Duration.ofSeconds(5), millis[i] * 1_000_000L, 50 << 20)));
            }
        }
        return new Facts(Optional.of(target(replicas)), "", pods, usage, List.of(), memory);
    }

    private static Plan plan(Resource autoscaler, Facts facts, Instant now) {
        return new AutoscalerReconciler()
                .reconcile(Observed.of(HorizontalPodAutoscalers.KIND, autoscaler, Optional.empty()), facts, now);
    }

    private static <C> List<C> all(Plan plan, Class<C> type) {
        return plan.changes().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /// What the target is scaled to; 0 where it is left alone.
    private static long scaled(Plan plan) {
        return all(plan, Change.PatchFields.class).stream()
                .mapToLong(patch -> patch.fields().integer("spec", "replicas"))
                .sum();
    }

    private static Json.Obj status(Plan plan) {
        return all(plan, Change.SetStatus.class).getFirst().status();
    }

    private static String condition(Plan plan, String type) {
        return status(plan).objects("conditions").stream()
                .filter(each -> each.string("type").equals(type))
                .map(each -> each.string("status") + " " + each.string("reason") + ": " + each.string("message"))
                .findFirst()
                .orElse("");
    }

    private static ScalingMemory memory(Plan plan) {
        return all(plan, Change.Act.class).stream()
                .map(act -> ((Remember) act.deed()).memory())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void scalesUpAndSaysWhy() {
        var plan = plan(autoscaler(""), facts(2, ScalingMemory.NONE, 160, 160), NOW);

        assertThat(scaled(plan)).isEqualTo(4);
        assertThat(all(plan, Change.Event.class))
                .extracting(Change.Event::reason, Change.Event::message)
                .containsExactly(tuple(
                        "SuccessfulRescale",
                        "New size: 4; reason: cpu resource utilization (percentage of request) above target"));
        // A status that is old ends the plan; what was done is told all the same.
        assertThat(plan.changes().stream().map(Object::getClass).toList())
                .containsSubsequence(Change.PatchFields.class, Change.Event.class, Change.SetStatus.class);
        assertThat(condition(plan, "AbleToScale"))
                .isEqualTo("True SucceededRescale: the HPA controller was able to update the target scale to 4");
        assertThat(condition(plan, "ScalingActive"))
                .isEqualTo("True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu"
                        + " resource utilization (percentage of request)");
        assertThat(status(plan).objects("currentMetrics"))
                .containsExactly(object("""
                {type: Resource, resource: {name: cpu, current: {averageValue: 160m, averageUtilization: 160}}}
                """).json());
        assertThat(status(plan).integer("desiredReplicas")).isEqualTo(4);
        assertThat(status(plan).string("lastScaleTime")).isEqualTo("2026-01-01T01:00:00Z");
        assertThat(plan.lookAgain()).contains(NOW.plus(AutoscalerReconciler.PERIOD));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 82, 0", // within the tolerance
        "1, 400, 4", // at most four at first
        "3, 800, 6", // or twice as many
        "6, 800, 10" // or as many as there may be
    })
    void keepsToItsPace(int replicas, int millis, long wanted) {
        var used = new int[replicas];
        Arrays.fill(used, millis);

        assertThat(scaled(plan(autoscaler(""), facts(replicas, ScalingMemory.NONE, used), NOW)))
                .isEqualTo(wanted);
    }

    @Test
    void waitsFiveMinutesBeforeItScalesDown() {
        var first = plan(autoscaler(""), facts(4, ScalingMemory.NONE, 10, 10, 10, 10), NOW);

        assertThat(scaled(first)).isZero();
        assertThat(condition(first, "AbleToScale")).startsWith("True ScaleDownStabilized: recent recommendations");
        var later = plan(autoscaler(""), facts(4, memory(first), 10, 10, 10, 10), NOW.plus(Duration.ofSeconds(301)));
        assertThat(scaled(later)).isEqualTo(1);
        assertThat(all(later, Change.Event.class).getFirst().message())
                .isEqualTo("New size: 1; reason: All metrics below target");
    }

    @Test
    void aBehaviorSetsThePace() {
        var slow = autoscaler("""
                  behavior:
                    scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 60}]}
                    scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Percent, value: 50, periodSeconds: 60}]}
                """);

        var up = plan(slow, facts(2, ScalingMemory.NONE, 800, 800), NOW);
        assertThat(scaled(up)).isEqualTo(3);
        assertThat(condition(up, "ScalingLimited")).startsWith("True ScaleUpLimit: the desired replica count");
        var soon = plan(slow, facts(3, memory(up), 800, 800, 800), NOW.plusSeconds(30));
        assertThat(scaled(soon)).as("one in a minute").isZero();
        var down = plan(slow, facts(4, ScalingMemory.NONE, 1, 1, 1, 1), NOW);
        assertThat(scaled(down)).isEqualTo(2);
        assertThat(condition(down, "ScalingLimited")).startsWith("True ScaleDownLimit");
        var never = autoscaler("  behavior: {scaleDown: {selectPolicy: Disabled, stabilizationWindowSeconds: 0}}\n");
        assertThat(scaled(plan(never, facts(4, ScalingMemory.NONE, 1, 1, 1, 1), NOW)))
                .isZero();
    }

    @Test
    void leavesAWorkloadThatIsSwitchedOffAlone() {
        var plan = plan(autoscaler(""), facts(0, ScalingMemory.NONE), NOW);

        assertThat(scaled(plan)).isZero();
        assertThat(condition(plan, "ScalingActive"))
                .isEqualTo("False ScalingDisabled: scaling is disabled since the replica count of the target is zero");
    }

    @Test
    void bringsATargetIntoItsBounds() {
        assertThat(scaled(plan(autoscaler(""), facts(12, ScalingMemory.NONE), NOW)))
                .isEqualTo(10);
        var least = autoscaler("").json().with(List.of("spec", "minReplicas"), Json.of(3));
        assertThat(scaled(plan(autoscaler("").with(least), facts(1, ScalingMemory.NONE), NOW)))
                .isEqualTo(3);
    }

    @Test
    void saysWhatItMisses() {
        var unknown = plan(autoscaler(""), facts(1, ScalingMemory.NONE, -1), NOW);

        assertThat(condition(unknown, "ScalingActive"))
                .isEqualTo("False FailedGetResourceMetric: the HPA was unable to compute the replica count: failed to"
                        + " get cpu utilization: unable to get metrics for resource cpu: no metrics returned from"
                        + " resource metrics API");
        assertThat(all(unknown, Change.Event.class))
                .extracting(Change.Event::reason)
                .containsExactly("FailedGetResourceMetric", "FailedComputeMetricsReplicas");
        var told = autoscaler("").with(autoscaler("").json().with("status", status(unknown)));
        assertThat(all(plan(told, facts(1, ScalingMemory.NONE, -1), NOW), Change.Event.class))
                .isEmpty();
        var facts = facts(1, ScalingMemory.NONE, 50);
        var without = new Facts(
                facts.target(), "", List.of(pod("p0", "memory: 1Mi")), facts.usage(), List.of(), facts.memory());
        assertThat(condition(plan(autoscaler(""), without, NOW), "ScalingActive"))
                .endsWith("missing request for cpu in container main of Pod p0");
        var gone = new Facts(
                Optional.empty(), "deployments.apps \"web\" not found", List.of(), Map.of(), List.of(), facts.memory());
        assertThat(condition(plan(autoscaler(""), gone, NOW), "AbleToScale"))
                .isEqualTo("False FailedGetScale: the HPA controller was unable to get the target's current scale:"
                        + " deployments.apps \"web\" not found");
        var rival = new Facts(
                facts.target(), "", facts.pods(), facts.usage(), List.of("team/other", "team/web"), facts.memory());
        assertThat(condition(plan(autoscaler(""), rival, NOW), "ScalingActive"))
                .isEqualTo("False AmbiguousSelector: pods by selector app=web are controlled by multiple HPAs:"
                        + " [team/other team/web]");
    }

    @Test
    void looksAtMemoryAndAtSingleContainers() {
        var memory = autoscaler("""
                  metrics:
                  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 20Mi}}}
                """);
        var container = autoscaler("""
                  metrics:
                  - type: ContainerResource
                    containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 50}}
                """);

        assertThat(scaled(plan(memory, facts(1, ScalingMemory.NONE, 1), NOW))).isEqualTo(3);
        assertThat(scaled(plan(container, facts(2, ScalingMemory.NONE, 75, 75), NOW)))
                .isEqualTo(3);
    }

    @Test
    void metricsOfOthersAreNotThere() {
        var pods = autoscaler("""
                  metrics:
                  - {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: "5"}}}
                """);

        assertThat(condition(plan(pods, facts(1, ScalingMemory.NONE, 1), NOW), "ScalingActive"))
                .isEqualTo("False FailedGetPodsMetric: the HPA was unable to compute the replica count: unable to fetch"
                        + " metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered");
    }

    @Test
    void podsOfWhichNothingIsKnownMakeItCareful() {
        // By one alone it would be four; the other may carry half of it.
        assertThat(scaled(plan(autoscaler(""), facts(2, ScalingMemory.NONE, 160, -1), NOW)))
                .isZero();
        assertThat(scaled(plan(autoscaler(""), facts(2, ScalingMemory.NONE, 320, -1), NOW)))
                .isEqualTo(4);
    }
}

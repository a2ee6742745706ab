package dev.towtank.controllers.testclusters.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is done about a ClusterDeployment that a program makes.
class ProgramReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final String YAML = """
            apiVersion: hive.openshift.io/v1
            kind: ClusterDeployment
            metadata:
              name: one
              namespace: clusters
              uid: 01234567-89ab-cdef-0123-456789abcdef
              annotations: {towtank.dev/provider: kind}
              finalizers: [hive.openshift.io/deprovision]
            spec: {clusterName: one, baseDomain: test.local, installAttemptsLimit: 1}
            """;

    private static Resource read(String yaml) {
        return new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse(yaml.getBytes(StandardCharsets.UTF_8)));
    }

    private static Plan decide(String yaml, Set<String> allowed, Resource... provisions) {
        var observed = Observed.of(ClusterKinds.DEPLOYMENT, read(yaml), Optional.empty());
        return new ProgramReconciler()
                .reconcile(observed, new ProgramReconciler.Facts(allowed, List.of(provisions)), NOW);
    }

    @Test
    void theProgramRunsUnderANameOfOurs() {
        var act = (Change.Act) decide(YAML, Set.of("kind")).changes().getFirst();
        assertThat(act.deed()).isEqualTo(new ProgramDeed.Make("kind", "towtank-0123456789abcdef"));
        var after = act.sequel().after(Json.Obj.of("kubeconfig", Json.of("secret text")));
        assertThat(after.toString())
                .contains("create Secret", "\"installed\":true", "\"stage\":\"complete\"")
                .doesNotContain("secret text");
    }

    @Test
    void nothingRunsBeforeTheFinalizerIsThere() {
        var plan = decide(YAML.replace("  finalizers: [hive.openshift.io/deprovision]\n", ""), Set.of("kind"));
        assertThat(plan.changes()).singleElement().isInstanceOf(Change.PatchFields.class);
    }

    @Test
    void aFailureIsAnAttemptAndTheLastOneIsTheEnd() {
        var act = (Change.Act) decide(YAML, Set.of("kind")).changes().getFirst();
        var failed = (Change.Create) act.sequel()
                .after(Json.Obj.of("error", Json.of("kind ended with 1"), "log", Json.of("no docker")))
                .changes()
                .getFirst();
        assertThat(failed.object().spec().string("installLog")).isEqualTo("kind ended with 1\nno docker");
        var stopped = decide(YAML, Set.of("kind"), failed.object());
        assertThat(stopped.toString()).contains("InstallAttemptsLimitReached", "kind ended with 1");
    }

    @Test
    void whatIsNotAllowedIsRefusedWithTheWayToAllowIt() {
        assertThat(decide(YAML, Set.of("k3d")).toString())
                .contains("ProviderNotAllowed", "start it with TOWTANK_CLUSTER_PROGRAMS=kind");
    }

    @Test
    void whatIsNotTakenAwayStaysWithItsReason() {
        var deleting = YAML.replace("  uid:", "  deletionTimestamp: 2026-01-01T00:00:00Z\n  uid:");
        var act = (Change.Act) decide(deleting, Set.of()).changes().getFirst();
        assertThat(act.deed()).isEqualTo(new ProgramDeed.Remove("kind", "towtank-0123456789abcdef"));
        assertThat(act.sequel()
                        .after(Json.Obj.of("error", Json.of("no docker")))
                        .toString())
                .contains("DeprovisionFailed", "no docker", "look again");
        assertThat(act.sequel().after(Json.Obj.EMPTY).toString()).contains("finalizers");
    }
}

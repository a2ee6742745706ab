package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Claims that one node can mount, with pods that may be on several (TP-17).
final class SharedClaimsTest {

    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: nightly}
            spec:
              pipelineRef: {resolver: git}
              workspaces: [{name: source, persistentVolumeClaim: {claimName: data}}]
            """;

    private static String deployment(String name, String spec, String pod) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %1$s}
                spec:
                  %2$s
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s}}
                    spec:
                      %3$s
                      containers: [{name: main, image: "busybox:1.36"}]
                      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """.formatted(name, spec, pod);
    }

    private static String workload(String kind, String field) {
        return """
                apiVersion: %s
                kind: %s
                metadata: {name: work}
                spec:
                  %s
                  template:
                    metadata: {labels: {app: work}}
                    spec:
                      restartPolicy: %s
                      containers: [{name: main, image: "busybox:1.36"}]
                      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """.formatted(
                        kind.equals("Job") ? "batch/v1" : "apps/v1",
                        kind,
                        kind.equals("Job") ? field : field + "\n  selector: {matchLabels: {app: work}}",
                        kind.equals("Job") ? "Never" : "Always");
    }

    private static List<String> found(String... files) {
        return Linting.lint(files).findings().stream()
                .filter(finding -> finding.rule() == Rule.SHARED_CLAIM)
                .map(finding -> finding.place().file() + ": " + finding.message())
                .toList();
    }

    @Test
    void severalPodsOfOneWorkloadMayBeOnSeveralNodes() {
        assertThat(found(CLAIM, deployment("web", "replicas: 2", "")))
                .containsExactly("file1.yaml: Deployment \"web\" has 2 pods, and only those on one node can mount claim"
                        + " \"data\": it is ReadWriteOnce");
        assertThat(found(CLAIM, workload("DaemonSet", "minReadySeconds: 1"))).hasSize(1);
        assertThat(found(CLAIM, workload("Job", "parallelism: 4"))).hasSize(1);
        assertThat(found(CLAIM.replace("ReadWriteOnce", "ReadWriteOncePod"), workload("Job", "parallelism: 4")))
                .hasSize(1);
    }

    @Test
    void whoComesBesideSomebodyWhoStaysMayBeOnAnother() {
        assertThat(found(CLAIM, RUN, deployment("web", "replicas: 1", "")))
                .containsExactly("file1.yaml: Deployment \"web\" has claim \"data\" as well, and it is ReadWriteOnce:"
                        + " on another node, the pods of PipelineRun \"nightly\" wait for it");
        assertThat(found(CLAIM, deployment("web", "", ""), deployment("other", "", "")))
                .hasSize(1);
    }

    @Test
    void oneWorkloadOrWhatComesAndGoesIsFine() {
        assertThat(found(CLAIM, deployment("web", "", ""))).isEmpty();
        assertThat(found(CLAIM, RUN, RUN.replace("nightly", "weekly"))).isEmpty();
        assertThat(found(CLAIM, RUN, workload("Job", "parallelism: 1"))).isEmpty();
        assertThat(found(CLAIM, RUN, deployment("web", "replicas: 0", ""))).isEmpty();
        assertThat(found(deployment("web", "replicas: 2", ""))).isEmpty();
    }

    @Test
    void aFileThatIsReadTwiceIsOneWorkload() {
        assertThat(found(CLAIM, deployment("web", "", ""), deployment("web", "", "")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodeName: one", "nodeSelector: {disk: fast}", "affinity: {podAffinity: {}}"})
    void whoSaysWherePodsGoKnowsIt(String place) {
        assertThat(found(CLAIM, deployment("web", "replicas: 2", place))).isEmpty();
        assertThat(found(CLAIM, RUN, deployment("web", "", place))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec: {accessModes: [ReadWriteMany], ",
                "spec: {accessModes: [ReadWriteOnce, ReadWriteMany], ",
                "spec: {storageClassName: local-path, accessModes: [ReadWriteOnce], ",
                "spec: {storageClassName: hostpath, accessModes: [ReadWriteOnce], ",
                "spec: {volumeName: disk, accessModes: [ReadWriteOnce], "
            })
    void otherClaimsAreFine(String spec) {
        var claim = CLAIM.replace("spec: {accessModes: [ReadWriteOnce], ", spec);

        assertThat(claim).isNotEqualTo(CLAIM.replace("ReadWriteOnce", "ReadWriteOncePod"));
        assertThat(found(claim, RUN, deployment("web", "replicas: 2", ""))).isEmpty();
    }

    @Test
    void theSameNameElsewhereIsAnotherClaim() {
        var elsewhere = CLAIM.replace("{name: data}", "{name: data, namespace: elsewhere}");

        assertThat(found(elsewhere, deployment("web", "replicas: 2", ""))).isEmpty();
    }

    @Test
    void aDocumentMayShowTwoWays() {
        Supplier<Content> guide = () -> new Content.Text(new SourceText(
                "guide.md", """
                ```yaml
                %s```
                ```yaml
                %s```
                ```yaml
                %s```
                """.formatted(CLAIM, deployment("web", "", ""), deployment("other", "", ""))));

        assertThat(Linting.rules(Linting.linter().lint(List.of(guide)))).doesNotContain("shared-claim");
    }

    // Held against each other one by one, these would be 40,000,000,000 pairs.
    @Test
    void looksEachUseUpOnce() {
        var seen = new Observations();
        for (int i = 0; i < 200_000; i++) {
            seen.claims.add(new ClaimUses.Claim("data-" + i, "deploy", "", "ReadWriteOnce"));
            seen.claimUses.add(use("data-" + i, "Deployment \"web-" + i + "\""));
        }

        assertThat(SharedClaims.of(seen)).hasSize(200_000);
    }

    @Test
    void tellsOfAUseOnceHoweverOftenItsClaimIsWrittenDown() {
        var seen = new Observations();
        for (int i = 0; i < 1_000; i++) {
            seen.claims.add(new ClaimUses.Claim("data", "deploy", "", "ReadWriteOnce"));
            seen.claimUses.add(use("data", "Deployment \"web\""));
        }

        assertThat(SharedClaims.of(seen)).hasSize(1_000);
    }

    private static ClaimUses.Use use(String claim, String owner) {
        var place = new SourcePlace("deploy/web.yaml", 1, 1, 1, "", Set.of());
        return new ClaimUses.Use(claim, "deploy", "", owner, "2 pods", true, false, place);
    }
}

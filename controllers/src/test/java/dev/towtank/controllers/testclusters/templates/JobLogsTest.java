package dev.towtank.controllers.testclusters.templates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.batch.Jobs;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which Jobs are heard about a cluster that was not made.
class JobLogsTest {

    private static final Resource APPLICATION = resource("""
            metadata: {name: app, namespace: argocd}
            status:
              resources:
              - {group: batch, kind: Job, namespace: clusters, name: own}
              - {group: batch, kind: Job, namespace: other, name: theirs}
              - {kind: ConfigMap, namespace: clusters, name: any}
            """);

    private final IndexedCache jobs = new IndexedCache();
    private final IndexedCache pods = new IndexedCache();
    private final Caches caches = kind -> kind.equals(Jobs.KIND) ? jobs : pods;
    private final JobLogs logs = new JobLogs(
            caches,
            new Outside<>(
                    "words",
                    question -> "said by " + question.pod().name() + "\n",
                    Outside.Limits.USUAL,
                    new FakeTimers(),
                    Runnable::run));

    private static Resource resource(String yaml) {
        return new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse(yaml));
    }

    private void job(String namespace, String name, String application) {
        jobs.put(resource("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %1$s
                  namespace: %2$s
                  uid: uid-of-%1$s
                  annotations: {argocd.argoproj.io/tracking-id: "%3$s:batch/Job:%2$s/%1$s"}
                """.formatted(name, namespace, application)));
    }

    private void pod(String namespace, String name, String job, int minute) {
        pods.put(resource("""
                metadata:
                  name: %1$s
                  namespace: %2$s
                  uid: uid-of-%1$s
                  creationTimestamp: 2026-01-01T00:%3$02d:00Z
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %4$s, uid: uid-of-%4$s, controller: true}]
                status: {phase: Failed}
                """.formatted(name, namespace, minute, job)));
    }

    private JobWords words(String phase, boolean isLogged) {
        var instance = resource("metadata: {name: it-1, namespace: team}\nstatus: {phase: " + phase + "}\n");
        return logs.of(new Instance(instance), Optional.of(APPLICATION), isLogged);
    }

    @Test
    void aJobOfTheChartIsHeardWhenTheInstanceFailed() {
        job("clusters", "own", "app");
        pod("clusters", "own-1", "own", 1);
        assertThat(words("ClusterInstalling", false)).isEqualTo(JobWords.UNREAD);
        assertThat(words("ClusterInstallFailed", false))
                .isEqualTo(new JobWords(true, "Pod own-1 Failed\nsaid by own-1\n"));
        assertThat(words("ClusterInstallFailed", true)).isEqualTo(JobWords.NONE);
    }

    /// Who may write a chart could otherwise read what the Jobs of anybody say.
    @Test
    void aJobThatTheChartOnlyNamesIsNot() {
        job("other", "theirs", "somebody-else");
        pod("other", "theirs-1", "theirs", 1);
        assertThat(words("ClusterInstallFailed", false)).isEqualTo(JobWords.NONE);
    }

    @Test
    void ofManyAttemptsTheLastAreHeard() {
        job("clusters", "own", "app");
        for (int i = 1; i <= 9; i++) {
            pod("clusters", "own-" + i, "own", i);
        }
        assertThat(words("ClusterInstallFailed", false).text().lines().filter(line -> line.startsWith("said")))
                .containsExactly("said by own-5", "said by own-6", "said by own-7", "said by own-8", "said by own-9");
    }
}

package dev.towtank.controllers.pipelinesascode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QueueReconcilerTest {

    private static Resource run(String name, String created, String state, String status) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  name: %s
                  namespace: team
                  creationTimestamp: %s
                  annotations: {pipelinesascode.tekton.dev/state: %s, pipelinesascode.tekton.dev/repository: app}
                spec: {status: PipelineRunPending}
                status: {conditions: [{type: Succeeded, status: "%s"}]}
                """.formatted(name, created, state, status)));
    }

    private static List<String> started(int limit, Resource... runs) {
        var repository = Resource.of((Json.Obj) YamlText.parse(
                "{apiVersion: pipelinesascode.tekton.dev/v1alpha1, kind: Repository, metadata: {name: app, namespace: team},"
                        + " spec: {url: 'https://x', concurrency_limit: " + limit + "}}"));
        return new QueueReconciler()
                        .reconcile(
                                Observed.of(PacKinds.REPOSITORY, repository),
                                new QueueReconciler.Facts(limit, List.of(runs)),
                                Instant.EPOCH)
                        .changes()
                        .stream()
                        .flatMap(change -> change instanceof Change.PatchFields patch
                                ? Stream.of(patch.seen().name())
                                : Stream.of())
                        .toList();
    }

    @Test
    void theOldestStartFirstAndNoMoreThanTheLimit() {
        var third = run("c", "2026-01-01T00:00:03Z", "queued", "Unknown");
        var first = run("a", "2026-01-01T00:00:01Z", "queued", "Unknown");
        var second = run("b", "2026-01-01T00:00:02Z", "queued", "Unknown");
        var running = run("r", "2026-01-01T00:00:00Z", "started", "Unknown");
        var ended = run("e", "2026-01-01T00:00:00Z", "started", "True");
        assertThat(started(2, third, first, second, running, ended)).containsExactly("a");
        assertThat(started(1, third, first, second, running)).isEmpty();
        assertThat(started(5, third, first, second)).containsExactly("a", "b", "c");
    }
}

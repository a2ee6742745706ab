package dev.towtank.controllers.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.operator.api.OperatorKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TektonConfigReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-02T00:00:30Z");

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource config(String spec) {
        return object("""
                apiVersion: operator.tekton.dev/v1alpha1
                kind: TektonConfig
                metadata: {name: config, creationTimestamp: "2026-01-01T23:00:00Z"}
                spec:
                """ + spec.indent(2));
    }

    private static Plan decide(Resource config, List<Resource> runs) {
        var namespaces = List.of(
                object("{apiVersion: v1, kind: Namespace, metadata: {name: tekton-pipelines}}"),
                object("{apiVersion: v1, kind: Namespace, metadata: {name: team}}"),
                object(
                        "{apiVersion: v1, kind: Namespace, metadata: {name: spared, annotations: {operator.tekton.dev/prune.skip: 'true'}}}"));
        return new TektonConfigReconciler()
                .reconcile(
                        Observed.of(OperatorKinds.TEKTON_CONFIG, config),
                        new TektonConfigReconciler.Facts(Map.of(), Optional.empty(), namespaces, runs),
                        NOW);
    }

    private static Resource run(String name, String namespace, String started) {
        return object("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: %s, namespace: %s}
                status: {startTime: "%s", completionTime: "%s", conditions: [{type: Succeeded, status: "True"}]}
                """.formatted(name, namespace, started, started));
    }

    @Test
    void everyFieldChangesSomethingOrIsToldToChangeNothing() {
        var plan = decide(config("""
                targetNamespace: openshift-pipelines
                chain: {artifacts.oci.storage: oci}
                trigger: {disabled: true}
                pipeline:
                  enable-api-fields: alpha
                  default-service-account: builder
                  enable-git-resolver: false
                  performance: {buckets: 1}
                platforms: {openshift: {pipelinesAsCode: {enable: true, settings: {application-name: CI}}}}
                result: {watcher: {completed_run_grace_period: 10m}}
                """), List.of()).json().toString();
        assertThat(plan)
                .contains("\"enable-api-fields\":\"alpha\"", "\"default-service-account\":\"builder\"")
                .contains("\"enable-git-resolver\":\"false\"", "\"application-name\":\"CI\"")
                .contains("\"completed_run_grace_period\":\"10m\"", "\"kind\":\"TektonResult\"")
                .contains("of no effect in one process: spec.chain, spec.pipeline.performance");
    }

    @Test
    void thePrunerKeepsTheNewestAndSparesWhoAsksForIt() {
        var runs = List.of(
                run("old", "team", "2026-01-01T10:00:00Z"),
                run("new", "team", "2026-01-01T11:00:00Z"),
                run("older", "spared", "2026-01-01T09:00:00Z"),
                run("newer", "spared", "2026-01-01T10:00:00Z"));
        var plan = decide(config("pruner: {schedule: '0 0 * * *', keep: 1, resources: [pipelinerun]}"), runs)
                .json()
                .toString();
        assertThat(plan).contains("\"delete\":\"PipelineRun team/old\"").doesNotContain("team/new\"", "spared");
        assertThat(decide(config("pruner: {disabled: true}"), runs).json().toString())
                .doesNotContain("delete");
        assertThat(decide(config("pruner: {keep: 1, keep-since: 2}"), runs)
                        .json()
                        .toString())
                .contains("expected exactly one, got both");
    }
}

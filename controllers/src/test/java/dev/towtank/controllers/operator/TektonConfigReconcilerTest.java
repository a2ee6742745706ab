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
                        new TektonConfigReconciler.Facts(
                                Map.of(), Optional.empty(), Map.of(), namespaces, runs, Map.of()),
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
                  performance: {buckets: 1, threads-per-controller: 32, kube-api-qps: 50}
                platforms: {openshift: {pipelinesAsCode: {enable: true, settings: {application-name: CI, bitbucket-cloud-check-source-ip: true}}}}
                result: {watcher: {completed_run_grace_period: 10m}}
                """), List.of()).json().toString();
        assertThat(plan)
                .contains("\"enable-api-fields\":\"alpha\"", "\"default-service-account\":\"builder\"")
                .contains("\"enable-git-resolver\":\"false\"", "\"application-name\":\"CI\"")
                .contains("\"completed_run_grace_period\":\"10m\"", "\"kind\":\"TektonResult\"")
                .contains("\"towtank-threads-per-controller\":\"32\"")
                .contains(
                        "of no effect in one process: spec.chain, spec.pipeline.performance.buckets (there is one process),"
                                + " spec.pipeline.performance.kube-api-qps (calls within the process are not counted),"
                                + " spec.platforms.openshift.pipelinesAsCode.settings.bitbucket-cloud-check-source-ip");
    }

    /// The fields of the one that pipeline-service has in its repository.
    @Test
    void theConfigurationOfAPipelineServiceIsTakenWhole() {
        var plan = decide(config("""
                targetNamespace: openshift-pipelines
                profile: all
                params: [{name: createRbacResource, value: "false"}]
                platforms: {openshift: {pipelinesAsCode: {enable: true, options: {deployments: {pipelines-as-code-watcher: {spec: {replicas: 1}}}}}}}
                chain: {artifacts.taskrun.format: in-toto, artifacts.taskrun.storage: "", transparency.enabled: "false"}
                trigger: {options: {configMaps: {config-logging-triggers: {data: {loglevel.controller: info}}}}}
                pipeline:
                  default-service-account: appstudio-pipeline
                  enable-api-fields: alpha
                  enable-bundles-resolver: true
                  enable-cluster-resolver: true
                  enable-git-resolver: true
                  enable-hub-resolver: true
                  enable-tekton-oci-bundles: true
                  enable-step-actions: true
                  options:
                    disabled: false
                    configMaps: {config-logging: {data: {loglevel.controller: info}}}
                    deployments: {tekton-pipelines-webhook: {spec: {replicas: 1}}}
                    horizontalPodAutoscalers: {tekton-pipelines-webhook: {spec: {maxReplicas: 6}}}
                  performance: {disable-ha: false, buckets: 1, replicas: 1, threads-per-controller: 32, kube-api-qps: 50, kube-api-burst: 50}
                pruner: {disabled: true}
                """), List.of()).json().toString();
        assertThat(plan)
                .contains("\"type\":\"Ready\",\"status\":\"True\"")
                .contains("\"default-service-account\":\"appstudio-pipeline\"", "\"loglevel.controller\":\"info\"")
                .contains("\"towtank-threads-per-controller\":\"32\"", "\"towtank-disabled\":\"false\"")
                .contains(
                        "spec.chain, spec.params, spec.pipeline.enable-step-actions, spec.pipeline.enable-tekton-oci-bundles,"
                                + " spec.pipeline.options.deployments, spec.pipeline.options.horizontalPodAutoscalers,"
                                + " spec.pipeline.performance.buckets")
                .contains("spec.platforms.openshift.pipelinesAsCode.options");
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThat(decide(config("pipeline: {performance: {buckets: 11}}"), List.of())
                        .json()
                        .toString())
                .contains("expected 1 <= 11 <= 10: spec.pipeline.performance.buckets");
        assertThat(decide(config("pipeline: {performance: {threads-per-controller: 0}}"), List.of())
                        .json()
                        .toString())
                .contains("expected 1 <= 0 <= 256: spec.pipeline.performance.threads-per-controller");
    }

    @Test
    void configMapsThatAreGivenWholeHaveTheLastWord() {
        var plan = decide(config("""
                pipeline:
                  enable-api-fields: alpha
                  options: {configMaps: {feature-flags: {data: {enable-api-fields: beta}}}, deployments: {x: {}}}
                trigger: {options: {configMaps: {config-logging-triggers: {data: {a: b}}}}}
                pruner: {disabled: true, something: 1}
                """), List.of()).json().toString();
        assertThat(plan)
                .contains("\"enable-api-fields\":\"beta\"", "\"name\":\"config-logging-triggers\"")
                .contains("spec.pipeline.options.deployments, spec.pruner.something");
    }

    @Test
    void partsHaveObjectsOfTheirOwn() {
        var plan = decide(config("""
                trigger: {disabled: true}
                platforms: {openshift: {pipelinesAsCode: {enable: true}}}
                """), List.of()).json().toString();
        assertThat(plan)
                .contains("\"kind\":\"TektonPipeline\"", "\"kind\":\"OpenShiftPipelinesAsCode\"")
                .doesNotContain("TektonTrigger", "TektonPruner");
        var stray = object(
                "{apiVersion: operator.tekton.dev/v1alpha1, kind: TektonPipeline, metadata: {name: pipeline}, spec: {a: b}}");
        assertThat(Child.ALL
                        .getFirst()
                        .reconciler()
                        .reconcile(Observed.of(Child.ALL.getFirst().kind(), stray), Optional.empty(), NOW)
                        .json()
                        .toString())
                .contains("only the TektonConfig config is read: put this into its spec.pipeline");
    }

    @Test
    void runsGoAtOnceByAgeAndNumber() {
        var runs = List.of(
                run("a", "team", "2026-01-01T10:00:00Z"),
                run("b", "team", "2026-01-01T23:59:00Z"),
                run("c", "team", "2026-01-02T00:00:00Z"),
                run("d", "team", "2026-01-02T00:00:10Z"),
                run("e", "other", "2026-01-01T10:00:00Z"));
        var plan = decide(config("""
                tektonpruner:
                  disabled: false
                  global-config:
                    ttlSecondsAfterFinished: 60
                    successfulHistoryLimit: 1
                    namespaces: {other: {ttlSecondsAfterFinished: 86400}}
                """), runs).json().toString();
        assertThat(plan)
                .contains("team/a\"", "team/b\"", "team/c\"", "tekton-pruner-default-spec", "\"kind\":\"TektonPruner\"")
                .doesNotContain("\"delete\":\"PipelineRun team/d\"", "\"delete\":\"PipelineRun other/e\"");
        assertThat(decide(config("{pruner: {keep: 1}, tektonpruner: {disabled: false}}"), runs)
                        .json()
                        .toString())
                .contains("cannot be enabled simultaneously");
    }

    @Test
    void aNamespaceMayHaveATimeOfItsOwn() {
        var namespace = object(
                "{apiVersion: v1, kind: Namespace, metadata: {name: team, annotations: {operator.tekton.dev/prune.schedule: '0 12 * * *'}}}");
        var pruner = (Json.Obj) YamlText.parse("{schedule: '0 0 * * *'}");
        assertThat(Pruner.schedule(pruner, namespace)).isEqualTo("0 12 * * *");
        assertThat(
                        Pruner.schedule(
                                pruner,
                                object(
                                        "{kind: Namespace, metadata: {name: t, annotations: {operator.tekton.dev/prune.schedule: 'never'}}}")))
                .isEmpty();
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

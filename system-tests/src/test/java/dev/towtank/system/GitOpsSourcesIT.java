package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.SimpleFileServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Where Applications come from, and their objects: charts, kustomizations, repositories of charts, sets.
class GitOpsSourcesIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    @Test
    void chartsAndKustomizationsAreRendered() {
        repository
                .with("chart/Chart.yaml", "{apiVersion: v2, name: demo, version: 0.1.0}\n")
                .with("chart/values.yaml", "a: chart\nb: chart\nc: chart\n")
                .with("values/more.yaml", "b: file\nc: file\n")
                .with("chart/templates/map.yaml", """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: {{ .Release.Name }}, annotations: {helm.sh/hook-weight: "3"}}
                        data: {values: "{{ .Values.a }} {{ .Values.b }} {{ .Values.c }}"}
                        """)
                .with("chart/templates/hook.yaml", job("chart-hook", "helm.sh/hook: pre-install", "true"))
                .with("base/kustomization.yaml", "resources: [map.yaml]\n")
                .with("base/map.yaml", configMap("base", ""))
                .with("over/kustomization.yaml", "resources: [../base]\nnamePrefix: over-\n")
                .commit();
        argocd.withInput(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: NAME}
                spec:
                  project: default
                  destination: {name: in-cluster, namespace: SPACE}
                  sources:
                  - repoURL: ADDRESS
                    path: chart
                    helm:
                      releaseName: released
                      valueFiles: [$files/values/*.yaml, absent.yaml]
                      ignoreMissingValueFiles: true
                      parameters: [{name: c, value: parameter}]
                  - {repoURL: ADDRESS, ref: files}
                  - {repoURL: ADDRESS, path: over, kustomize: {nameSuffix: -end, commonLabels: {team: blue}}}
                  syncPolicy: {automated: {}, retry: {limit: 0}}
                """.replace("NAME", name).replace("SPACE", kubectl.namespace()).replace("ADDRESS", repository.url()),
                "apply",
                "-f",
                "-");
        awaitHealthy();
        assertThat(kubectl.run("get", "configmap", "released", "-o", "jsonpath={.data.values}"))
                .isEqualTo("chart file parameter");
        assertThat(kubectl.run("get", "configmap", "over-base-end", "-o", "jsonpath={.metadata.labels.team}"))
                .isEqualTo("blue");
        assertThat(status("{.status.sourceTypes}")).isEqualTo("[\"Helm\",\"\",\"Kustomize\"]");
        assertThat(kubectl.run("get", "job", "chart-hook", "-o", "jsonpath={.status.succeeded}"))
                .isEqualTo("1");
    }

    @Test
    void aSetMakesApplicationsAndTakesThemAway() {
        repository
                .with("apps/one/map.yaml", configMap("one", ""))
                .with("apps/two/map.yaml", configMap("two", ""))
                .commit();
        argocd.withInput(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: ApplicationSet
                metadata: {name: NAME}
                spec:
                  goTemplate: true
                  goTemplateOptions: [missingkey=error]
                  generators:
                  - git: {repoURL: "ADDRESS", revision: main, directories: [{path: apps/*}]}
                  template:
                    metadata: {name: "NAME-{{ .path.basename }}", labels: {set: NAME}}
                    spec:
                      project: default
                      source: {repoURL: "ADDRESS", targetRevision: main, path: "{{ .path.path }}"}
                      destination: {name: in-cluster, namespace: SPACE}
                      syncPolicy: {automated: {prune: true}}
                """.replace("NAME", name).replace("ADDRESS", repository.url()).replace("SPACE", kubectl.namespace()),
                "apply",
                "-f",
                "-");
        for (var each : new String[] {"one", "two"}) {
            argocd.await("applications/" + name + "-" + each, "{.status.sync.status}", "Synced");
        }
        argocd.await("applicationsets/" + name, "{.status.resources[*].status}", "Synced Synced");
        repository
                .without("apps/two/map.yaml")
                .with("apps/three/map.yaml", configMap("three", ""))
                .commit();
        argocd.await("applications/" + name + "-three", "{.status.sync.status}", "Synced");
        argocd.run("wait", "--for=delete", "application/" + name + "-two", "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/two");
        argocd.run("delete", "applicationset", name);
        argocd.run("wait", "--for=delete", "application/" + name + "-one", "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
    }

    @Test
    void aChartComesFromItsRepository() throws IOException {
        repository
                .with("lamp/Chart.yaml", "{apiVersion: v2, name: lamp, version: 1.2.0}\n")
                .with("lamp/templates/map.yaml", """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: lamp}
                        data: {colour: "{{ .Values.colour }}", version: "{{ .Chart.Version }}"}
                        """);
        var files = repository.directory().toString();
        assertThat(Program.run(List.of("tar", "-C", files, "-czf", files + "/lamp-1.2.0.tgz", "lamp"))
                        .exit())
                .isZero();
        repository.with("index.yaml", """
                apiVersion: v1
                entries: {lamp: [{name: lamp, version: 1.2.0, urls: [lamp-1.2.0.tgz]}]}
                """);
        var server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                repository.directory(),
                SimpleFileServer.OutputLevel.NONE);
        server.start();
        try {
            argocd.withInput(
                    """
                    apiVersion: argoproj.io/v1alpha1
                    kind: Application
                    metadata: {name: %s}
                    spec:
                      project: default
                      destination: {name: in-cluster, namespace: %s}
                      source:
                        repoURL: http://127.0.0.1:%d
                        chart: lamp
                        targetRevision: 1.*
                        helm: {parameters: [{name: colour, value: warm}]}
                      syncPolicy: {automated: {}}
                    """.formatted(name, kubectl.namespace(), server.getAddress().getPort()), "apply", "-f", "-");
            awaitHealthy();
            assertThat(kubectl.run("get", "configmap", "lamp", "-o", "jsonpath={.data.colour} {.data.version}"))
                    .isEqualTo("warm 1.2.0");
            assertThat(status("{.status.sync.revision} {.status.sourceType}")).isEqualTo("1.2.0 Helm");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aSetIsRolledOutStepByStep() {
        repository
                .with("apps/test/map.yaml", configMap("test", "") + "---\n" + job("slow", "", "sleep 1"))
                .with("apps/production/map.yaml", configMap("production", ""))
                .commit();
        argocd.withInput(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: ApplicationSet
                metadata: {name: NAME}
                spec:
                  generators: [{list: {elements: [{stage: test}, {stage: production}]}}]
                  strategy:
                    type: RollingSync
                    rollingSync:
                      steps:
                      - matchExpressions: [{key: stage, operator: In, values: [test]}]
                      - matchExpressions: [{key: stage, operator: In, values: [production]}]
                        maxUpdate: 1
                  template:
                    metadata: {name: 'NAME-{{stage}}', labels: {stage: '{{stage}}'}}
                    spec:
                      project: default
                      destination: {name: in-cluster, namespace: SPACE}
                      source: {repoURL: "ADDRESS", targetRevision: main, path: 'apps/{{stage}}'}
                      syncPolicy: {automated: {}}
                """.replace("NAME", name).replace("SPACE", kubectl.namespace()).replace("ADDRESS", repository.url()),
                "apply",
                "-f",
                "-");
        argocd.await("applicationsets/" + name, "{.status.applicationStatus[*].status}", "Healthy Healthy");
        assertThat(argocd.run("get", "application", name + "-test", "-o", "jsonpath={.spec.syncPolicy.automated}"))
                .isEmpty();
        var slow = kubectl.run("get", "job", "slow", "-o", "jsonpath={.status.completionTime}");
        var production = kubectl.run("get", "configmap", "production", "-o", "jsonpath={.metadata.creationTimestamp}");
        assertThat(production).isGreaterThanOrEqualTo(slow);
    }
}

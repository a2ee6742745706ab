package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.hook;
import static dev.towtank.system.ApplicationYaml.job;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Applications with real kubectl and a git repository on this machine.
class GitOpsIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private long version(String object) {
        return Long.parseLong(kubectl.run("get", object, "-o", "jsonpath={.metadata.resourceVersion}"));
    }

    @Test
    void wavesAndHooksComeInTheirOrder() {
        repository
                .with("a/one.yaml", configMap("one", wave(-1)) + "---\n" + configMap("two", wave(2)))
                .with("a/pre.yaml", job("before", hook("PreSync"), "true"))
                .with("a/run.yaml", job("between", wave(1), "true"))
                .with("a/post.yaml", job("after", hook("PostSync"), "true"))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(version("configmap/one")).isLessThan(version("configmap/two"));
        var completed = "jsonpath={.status.completionTime}{' '}{.metadata.finalizers}";
        assertThat(kubectl.run("get", "job", "before", "-o", completed)).doesNotContain("hook-finalizer");
        assertThat(status("{.status.operationState.syncResult.resources[*].name}"))
                .isEqualTo("before one between two after");
        assertThat(status("{.status.resources[*].name}")).isEqualTo("one two between after before");
        assertThat(status("{.status.resources[?(@.hook==true)].name}")).isEqualTo("after before");
        assertThat(status("{.status.operationState.syncResult.resources[?(@.kind=='Job')].images}"))
                .isEqualTo("[\"alpine:3.20\"] [\"alpine:3.20\"] [\"alpine:3.20\"]");
        assertThat(status("{.status.history[*].id}{.status.sourceType}")).isEqualTo("0Directory");
        assertThat(argocd.run("get", "app", name)).contains("SYNC STATUS", "HEALTH STATUS", "Synced", "Healthy");
    }

    @Test
    void aCommitIsFollowedDriftIsHealedAndWhatIsGoneIsPruned() {
        repository
                .with("a/one.yaml", configMap("one", ""))
                .with("a/two.yaml", configMap("two", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        kubectl.run("patch", "configmap", "one", "-p", "{\"data\":{\"key\":\"drift\",\"own\":\"stays\"}}");
        kubectl.await("configmaps/one", "{.data.key}/{.data.own}", "1/stays");
        kubectl.run("delete", "configmap", "one");
        kubectl.await("configmaps/one", "{.data.key}", "1");
        var second = repository
                .without("a/two.yaml")
                .with("a/three.yaml", configMap("three", ""))
                .commit();
        await("{.status.sync.revision}/{.status.sync.status}", second + "/Synced");
        assertThat(kubectl.run("get", "configmaps", "-o", "name"))
                .contains("configmap/one", "configmap/three")
                .doesNotContain("configmap/two");
        repository
                .without("a/one.yaml")
                .without("a/three.yaml")
                .with("a/none.txt", "nothing")
                .commit();
        await("{.status.conditions[0].type}", "SyncError");
        assertThat(status("{.status.conditions[0].message}")).contains("auto-sync will wipe out all resources");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("configmap/one", "configmap/three");
    }

    @Test
    void whatCannotBeRenderedOrAppliedChangesNothing() {
        repository
                .with("chart/Chart.yaml", "{apiVersion: v2, name: demo, version: 0.1.0}\n")
                .with("chart/templates/a.yaml", configMap("first", ""))
                .with("chart/templates/b.yaml", "uri: {{ .Values.git.repoURL | default \"none\" }}\n")
                .commit();
        apply("chart", AUTOMATED);
        await("{.status.conditions[0].type}/{.status.sync.status}", "ComparisonError/Unknown");
        assertThat(status("{.status.conditions[0].message}"))
                .contains("demo/templates/b.yaml:1", "nil pointer evaluating interface {}.repoURL");
        repository.with("chart/templates/b.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: second, annotations: {argocd.argoproj.io/sync-wave: "5"}}
                spec: {ports: [{port: 99999999}]}
                """).commit();
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}"))
                .isEqualTo("one or more objects failed to apply (dry run)");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains("spec.ports[0].port");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("first");
    }

    @Test
    void aFailedHookFailsTheSyncAndRunsTheAlarm() {
        repository
                .with("a/pre.yaml", job("check", hook("PreSync"), "echo no >&2; exit 3"))
                .with("a/alarm.yaml", configMap("alarm", hook("SyncFail")))
                .with("a/one.yaml", configMap("one", ""))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}"))
                .startsWith("one or more synchronization tasks completed unsuccessfully");
        assertThat(kubectl.run("get", "configmaps", "-o", "name"))
                .contains("configmap/alarm")
                .doesNotContain("configmap/one");
    }

    @Test
    void projectsAreAskedBeforeAnythingIsApplied() {
        repository
                .with("a/one.yaml", configMap("one", wave(-5)))
                .with("a/role.yaml", """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: gitops-it}
                        rules: []
                        """)
                .commit();
        argocd.withInput("""
                apiVersion: argoproj.io/v1alpha1
                kind: AppProject
                metadata: {name: %s}
                spec:
                  sourceRepos: ["%s"]
                  destinations: [{server: "https://kubernetes.default.svc", namespace: "%s"}]
                """.formatted(name, repository.url(), kubectl.namespace()), "apply", "-f", "-");
        applyIn(name, "{name: in-cluster, namespace: " + kubectl.namespace() + "}", "a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains("resource rbac.authorization.k8s.io:ClusterRole is not permitted in project " + name);
        argocd.run(
                "patch",
                "app",
                name,
                "--type=merge",
                "-p",
                "{\"spec\":{\"destination\":{\"namespace\":\"kube-system\"}}}");
        await("{.status.conditions[0].type}", "InvalidSpecError");
        assertThat(status("{.status.conditions[0].message}"))
                .contains("'kube-system' do not match any of the allowed destinations in project '" + name + "'");
    }

    @Test
    void scriptsTellHealthAndGateWaves() {
        repository
                .with("a/definition.yaml", """
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: lamps.example.com}
                        spec:
                          group: example.com
                          names: {kind: Lamp, plural: lamps}
                          scope: Namespaced
                          versions:
                          - name: v1
                            served: true
                            storage: true
                            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                        """)
                .with("a/lamp.yaml", """
                        apiVersion: example.com/v1
                        kind: Lamp
                        metadata: {name: desk}
                        """)
                .with("a/late.yaml", configMap("late", wave(1)))
                .commit();
        argocd.withInput("""
                apiVersion: argoproj.io/v1beta1
                kind: ArgoCD
                metadata: {name: argocd}
                spec:
                  resourceHealthChecks:
                  - group: example.com
                    kind: Lamp
                    check: |
                      hs = {}
                      if obj.lit == nil then
                        hs.status = "Progressing"
                        hs.message = "dark"
                        return hs
                      end
                      hs.status = "Healthy"
                      return hs
                """, "apply", "-f", "-");
        apply("a", AUTOMATED);
        await("{.status.operationState.message}", "waiting for healthy state of example.com/Lamp/desk");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("late");
        kubectl.run("patch", "lamp", "desk", "--type=merge", "-p", "{\"lit\":true}");
        awaitHealthy();
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("late");
    }

    @Test
    void aSyncIsStartedByHandToAnyCommitAndEverythingGoesInTheEnd() {
        var first = repository.with("a/one.yaml", configMap("one", wave(3))).commit();
        repository.tag("v1.2.0");
        repository
                .with("a/one.yaml", configMap("one", wave(3)).replace("\"1\"", "\"2\""))
                .commit();
        apply("a", "syncPolicy: {syncOptions: [CreateNamespace=true]}");
        await("{.status.sync.status}/{.status.health.status}", "OutOfSync/Missing");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        awaitHealthy();
        assertThat(kubectl.run("get", "configmap", "one", "-o", "jsonpath={.data.key}"))
                .isEqualTo("2");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{\"revision\":\"1.*\"}}}");
        await("{.status.operationState.syncResult.revision}/{.status.operationState.phase}", first + "/Succeeded");
        assertThat(kubectl.run("get", "configmap", "one", "-o", "jsonpath={.data.key}"))
                .isEqualTo("1");
        await("{.status.sync.status}", "OutOfSync");
        argocd.run("delete", "app", name, "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
    }

    @Test
    void objectsGoIntoALogicalCluster() {
        kubectl.withInput(
                "apiVersion: towtank.dev/v1\nkind: LogicalCluster\nmetadata: {name: other}\n", "apply", "-f", "-");
        repository.with("a/one.yaml", configMap("one", "")).commit();
        applyTo(
                "{server: \"https://kubernetes.default.svc/clusters/other\", namespace: spot}",
                "a",
                "syncPolicy: {automated: {selfHeal: true}, syncOptions: [CreateNamespace=true]}");
        awaitHealthy();
        assertThat(kubectl.run("get", "--raw", "/clusters/other/api/v1/namespaces/spot/configmaps/one"))
                .contains("\"key\":\"1\"");
        assertThat(kubectl.attempt("get", "namespace", "spot").exit()).isNotZero();
        kubectl.run("delete", "--raw", "/clusters/other/api/v1/namespaces/spot/configmaps/one");
        await("{.status.history[*].id}", "0 1");
        argocd.run("delete", "app", name, "--timeout=120s");
        assertThat(kubectl.attempt("get", "--raw", "/clusters/other/api/v1/namespaces/spot/configmaps/one")
                        .exit())
                .isNotZero();
    }

    @Test
    void whatIsNotServedIsRefusedByName() {
        repository
                .with("a/one.yaml", configMap("one", "argocd.argoproj.io/sync-options: Sideways=true"))
                .commit();
        apply("a", "syncPolicy: {automated: {}, syncOptions: [Upwards=true]}");
        await(
                "{.status.conditions[0].message}",
                "spec.syncPolicy.syncOptions: the sync option Upwards=true is not served");
        argocd.run(
                "patch",
                "app",
                name,
                "--type=json",
                "-p",
                "[{\"op\":\"remove\",\"path\":\"/spec/syncPolicy/syncOptions\"}]");
        await(
                "{.status.operationState.syncResult.resources[0].message}",
                "the sync option Sideways=true is not served");
        argocd.run(
                "patch",
                "app",
                name,
                "--type=merge",
                "-p",
                "{\"spec\":{\"destination\":{\"server\":\"https://other:6443\"}}}");
        await("{.status.conditions[0].type}", "InvalidSpecError");
        assertThat(status("{.status.conditions[0].message}"))
                .contains("https://other:6443 is a cluster of another server, and no cluster Secret");
        var strange = argocd.attempt("""
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: strange}
                spec: {project: default, destination: {}, colour: blue}
                """, Map.of(), "apply", "-f", "-");
        assertThat(strange.err()).contains("unknown field \"spec.colour\"");
    }

    @Test
    void hooksOfADeletionRunBeforeAndAfterTheObjectsGo() {
        repository
                .with("a/one.yaml", configMap("one", ""))
                .with("a/before.yaml", job("before", hook("PreDelete"), "true"))
                .with(
                        "a/after.yaml",
                        job(
                                "after",
                                hook("PostDelete") + ", argocd.argoproj.io/hook-delete-policy: HookSucceeded",
                                "true"))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(status("{.metadata.finalizers}"))
                .contains("pre-delete-finalizer.argocd.argoproj.io", "post-delete-finalizer.argocd.argoproj.io");
        assertThat(kubectl.run("get", "jobs", "-o", "name")).isEmpty();
        argocd.run("delete", "app", name, "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
        assertThat(kubectl.run("get", "job", "before", "-o", "jsonpath={.status.succeeded}"))
                .isEqualTo("1");
        kubectl.run("wait", "--for=delete", "job/after", "--timeout=120s");
    }

    @Test
    void aHookOfADeletionThatFailsHoldsItUpAndIsNamed() {
        repository
                .with("a/one.yaml", configMap("one", ""))
                .with("a/before.yaml", job("before", hook("PreDelete"), "echo no backup >&2; exit 1"))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        argocd.run("delete", "app", name, "--wait=false");
        await("{.status.conditions[0].type}", "DeletionError");
        assertThat(status("{.status.conditions[0].message}"))
                .contains("the PreDelete hook batch/Job/before failed", "no backup");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("configmap/one");
        argocd.run(
                "patch",
                "app",
                name,
                "--type=json",
                "-p",
                "[{\"op\":\"replace\",\"path\":\"/metadata/finalizers\",\"value\":[\"resources-finalizer.argocd.argoproj.io\"]}]");
        argocd.run("wait", "--for=delete", "application/" + name, "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
    }

    @Test
    void windowsOfAProjectHoldSyncsBack() {
        repository.with("a/one.yaml", configMap("one", "")).commit();
        argocd.withInput("""
                apiVersion: argoproj.io/v1alpha1
                kind: AppProject
                metadata: {name: closed}
                spec:
                  sourceRepos: ['*']
                  destinations: [{server: '*', namespace: '*'}]
                  roles: [{name: deployer, policies: []}]
                  syncWindows: [{kind: deny, schedule: '* * * * *', duration: 1h, applications: ['*'], manualSync: true}]
                """, "apply", "-f", "-");
        applyIn(
                "closed",
                "{server: \"https://kubernetes.default.svc\", namespace: " + kubectl.namespace() + "}",
                "a",
                AUTOMATED);
        await("{.status.conditions[?(@.type=='SyncWindowWarning')].type}", "SyncWindowWarning");
        assertThat(status("{.status.conditions[*].message}"))
                .contains("by the sync window deny '* * * * *' for 1h0m0s; syncs by hand are not")
                .contains("the roles of project 'closed'");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        awaitHealthy();
    }
}

package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.hook;
import static dev.towtank.system.ApplicationYaml.job;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// How a deployment with Argo CD hung, raced or lied, one test for each way: A1 to A8 are those of the platform in
/// `examples/gitops`. A4 is in [BuildsIT], where builds are; A6 is in [GitOpsCredentialsIT]; A7, A8 and those that
/// change
/// settings of all applications (A1d, A1e, A3c, A3d) are in [GitOpsSettingsIT]; the table of A2 and A2c are rendered
/// without a
/// server.
class GitOpsAcceptanceIT extends ApplicationCase {

    private static final String REGISTRY = "image-registry.openshift-image-registry.svc:5000/";
    private static final String AUTOMATED_JSON =
            "\"syncPolicy\":{\"automated\":{\"prune\":true,\"selfHeal\":true},\"retry\":{\"limit\":0}}";
    private static final String CLI = REGISTRY + "openshift/cli:4.17";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private static String claim(String name, String storageClass, int wave) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s, annotations: {%s}}
                spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
                """.formatted(name, wave(wave), storageClass);
    }

    private static String storageClass(String name, String mode) {
        return """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s, annotations: {argocd.argoproj.io/sync-wave: "-7"}}
                provisioner: example.com/nobody
                volumeBindingMode: %s
                """.formatted(name, mode);
    }

    @Test
    void a1AClaimThatWaitsForItsFirstConsumerIsNotWaitedFor() {
        repository
                .with("a/all.yaml", String.join("---\n", claim("models", "local-path", -6), """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: init, annotations: {argocd.argoproj.io/sync-wave: "-5"}}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
                      containers:
                      - name: main
                        image: alpine:3.20
                        command: [sh, -c, echo model > /models/model]
                        volumeMounts: [{name: models, mountPath: /models}]
                """, configMap("done", "")))
                .commit();
        apply("a", "");
        await("{.status.sync.status}", "OutOfSync");
        try (var messages = Recording.of(argocd, "applications", name, "{.status.operationState.message}")) {
            argocd.run("patch", "app", name, "--type=merge", "-p", "{\"spec\":{" + AUTOMATED_JSON + "}}");
            awaitHealthy();
            assertThat(messages.until("successfully synced"))
                    .noneMatch(line -> line.contains("healthy state of /PersistentVolumeClaim"));
        }
        var path = "jsonpath={.metadata.creationTimestamp}";
        assertThat(kubectl.run("get", "job", "init", "-o", path))
                .isGreaterThanOrEqualTo(kubectl.run("get", "pvc", "models", "-o", path));
        assertThat(kubectl.run("get", "configmap", "done", "-o", path))
                .isGreaterThanOrEqualTo(kubectl.run("get", "job", "init", "-o", "jsonpath={.status.completionTime}"));
        assertThat(kubectl.run("get", "pvc", "models", "-o", "jsonpath={.status.phase}"))
                .isEqualTo("Bound");
    }

    @Test
    void a1bAnyOtherPendingClaimIsWaitedFor() {
        var other = "immediate-" + kubectl.namespace();
        repository
                .with(
                        "a/all.yaml",
                        String.join(
                                "---\n",
                                storageClass(other, "Immediate"),
                                claim("models", other, -6),
                                job("init", wave(-5), "true")))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.message}", "waiting for healthy state of /PersistentVolumeClaim/models");
        assertThat(names("jobs")).isEmpty();
        assertThat(status("{.status.operationState.phase}")).isEqualTo("Running");
    }

    @Test
    void a1cAClaimWithoutAnyConsumerIsHealthyAndSaysWhatItWaitsFor() {
        repository
                .with("a/all.yaml", claim("models", "local-path", -6) + "---\n" + configMap("done", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(status("{.status.resources[?(@.kind=='PersistentVolumeClaim')].health.message}"))
                .contains("waiting for first consumer");
    }

    @Test
    void a2AChainOfFallbacksOverAMissingMapAppliesNothing() {
        repository
                .with("chart/Chart.yaml", "{apiVersion: v2, name: demo, version: 0.1.0}\n")
                .with("chart/values.yaml", "git: {repoURL: b}\nglobal: {git: {repoURL: c}}\n")
                .with("chart/templates/first.yaml", configMap("first", wave(-1)))
                .with("chart/templates/url.yaml", """
                        {{- $gitUrl := .Values.imageBuilds.gitRepository | default .Values.git.repoURL | default .Values.global.git.repoURL | default "" }}
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: url}
                        data: {url: "{{ $gitUrl }}"}
                        """)
                .commit();
        apply("chart", AUTOMATED);
        await("{.status.conditions[0].type}/{.status.sync.status}", "ComparisonError/Unknown");
        assertThat(status("{.status.conditions[0].message}"))
                .contains("demo/templates/url.yaml:1", "nil pointer evaluating interface {}.gitRepository");
        assertThat(names("configmaps")).doesNotContain("configmap/first");
        repository
                .with("chart/values.yaml", "imageBuilds: {}\ngit: {repoURL: b}\nglobal: {git: {repoURL: c}}\n")
                .commit();
        awaitHealthy();
        assertThat(kubectl.run("get", "configmap", "url", "-o", "jsonpath={.data.url}"))
                .isEqualTo("b");
    }

    @Test
    void a2bABuildWithoutAnAddressFailsBeforeAnythingIsApplied() {
        repository
                .with("a/first.yaml", configMap("first", wave(-1)))
                .with("a/build.yaml", """
                        apiVersion: build.openshift.io/v1
                        kind: BuildConfig
                        metadata: {name: app}
                        spec: {source: {git: {ref: main}}, strategy: {dockerStrategy: {}}}
                        """)
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}"))
                .isEqualTo("one or more objects failed to apply (dry run)");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains("spec.source.git.uri: Required value");
        assertThat(names("configmaps")).doesNotContain("configmap/first");
    }

    private static String pipeline(String script) {
        return """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: build}
                spec:
                  tasks:
                  - name: work
                    taskSpec: {steps: [{name: main, image: "alpine:3.20", script: "%s"}]}
                """.formatted(script);
    }

    private static String run(String metadata) {
        return """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {%s}
                spec: {pipelineRef: {name: build}}
                """.formatted(metadata);
    }

    @Test
    void a3APipelineRunIsAHookThatIsWaitedForAndNeverPruned() {
        var commit = repository
                .with("a/pipeline.yaml", pipeline("true"))
                .with("a/run.yaml", run("generateName: build-, annotations: {" + hook("Sync") + ", " + wave(1) + "}"))
                .with("a/late.yaml", configMap("late", wave(2)))
                .commit();
        apply("a", "");
        await("{.status.sync.status}", "OutOfSync");
        try (var messages = Recording.of(argocd, "applications", name, "{.status.operationState.message}")) {
            argocd.run("patch", "app", name, "--type=merge", "-p", "{\"spec\":{" + AUTOMATED_JSON + "}}");
            awaitHealthy();
            assertThat(messages.until("successfully synced"))
                    .anyMatch(line -> line.contains("waiting for completion of hook tekton.dev/PipelineRun/build-"));
        }
        var runs = names("pipelineruns").lines().toList();
        assertThat(runs).singleElement().asString().matches(".*/build-" + commit.substring(0, 7) + "-sync-[0-9]+");
        assertThat(kubectl.run("get", "configmap", "late", "-o", "jsonpath={.metadata.creationTimestamp}"))
                .isGreaterThanOrEqualTo(kubectl.run("get", runs.getFirst(), "-o", "jsonpath={.status.completionTime}"));
        // a3b: what somebody starts by hand carries the Pipeline's annotations, and stays.
        kubectl.withInput(run("name: by-hand"), "apply", "-f", "-");
        kubectl.await("pipelineruns/by-hand", "{.status.conditions[0].status}", "True");
        for (int i = 0; i < 5; i++) {
            argocd.run("annotate", "app", name, "argocd.argoproj.io/refresh=normal", "--overwrite");
            await("{.metadata.annotations.argocd\\.argoproj\\.io/refresh}", "");
        }
        assertThat(names("pipelineruns")).contains("pipelinerun.tekton.dev/by-hand");
        assertThat(names("taskruns")).contains("taskrun.tekton.dev/by-hand-work");
        assertThat(status("{.status.sync.status}")).isEqualTo("Synced");
    }

    @Test
    void a3FailingPipelineRunsFailTheSyncWithTheirLastWords() {
        repository
                .with("a/pipeline.yaml", pipeline("echo no such library; exit 1"))
                .with("a/run.yaml", run("generateName: build-, annotations: {" + hook("Sync") + "}"))
                .with("a/late.yaml", configMap("late", wave(2)))
                .with("a/alarm.yaml", configMap("alarm", hook("SyncFail")))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}"))
                .contains("Tasks Completed: 1 (Failed: 1", "no such library");
        assertThat(names("configmaps")).contains("configmap/alarm").doesNotContain("configmap/late");
    }

    @Test
    void a3eANamedPipelineRunGatesItsWaveAndIsNotRunAgain() {
        repository
                .with("a/pipeline.yaml", pipeline("true"))
                .with("a/run.yaml", run("name: once, annotations: {" + wave(1) + "}"))
                .with("a/late.yaml", configMap("late", wave(2)))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        var uid = kubectl.run("get", "pipelinerun", "once", "-o", "jsonpath={.metadata.uid}");
        kubectl.run("delete", "configmap", "late");
        kubectl.await("configmaps/late", "{.data.key}", "1");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        await("{.status.operationState.phase}/{.operation}", "Succeeded/");
        assertThat(kubectl.run("get", "pipelineruns", "-o", "jsonpath={.items[*].metadata.uid}"))
                .isEqualTo(uid);
    }

    /// The record's own job, with the account that it runs as.
    private static String waitJob(String more, String script) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: wait-for-image
                  annotations:
                    argocd.argoproj.io/sync-wave: "-3"
                    argocd.argoproj.io/hook: Sync
                    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation
                spec:
                  backoffLimit: 0
                %s
                  template:
                    spec:
                      serviceAccountName: builder
                      restartPolicy: Never
                      containers:
                      - name: wait-for-image
                        image: %s
                        command: ["/bin/bash", "-c"]
                        args:
                        - |
                %s
                """.formatted(
                        more.indent(2).stripTrailing(), CLI, script.indent(10).stripTrailing());
    }

    private static final String LOOP = """
            # Wait for imagestreamtag to exist
            while ! oc get imagestreamtag app:latest; do
              sleep 30
            done
            """;

    private String account(String resources) {
        return """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: builder, annotations: {argocd.argoproj.io/sync-wave: "-3"}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: builder, annotations: {argocd.argoproj.io/sync-wave: "-3"}}
                rules: [{apiGroups: [image.openshift.io], resources: [%s], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: builder, annotations: {argocd.argoproj.io/sync-wave: "-3"}}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: builder}
                subjects: [{kind: ServiceAccount, name: builder, namespace: %s}]
                """.formatted(resources, kubectl.namespace());
    }

    private String inlineBuild() {
        return BuildsIT.stream("app").replace("{name: app}", "{name: app, annotations: {" + wave(-5) + "}}") + """
                ---
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata: {name: app, annotations: {argocd.argoproj.io/sync-wave: "-4"}}
                spec:
                  source: {dockerfile: "FROM alpine:3.20"}
                  strategy: {type: Docker, dockerStrategy: {}}
                  output: {to: {kind: ImageStreamTag, name: "app:latest"}}
                  triggers: [{type: ConfigChange}]
                """;
    }

    @Test
    void a4bTheJobThatWaitsForAnImageEndsAndRunsAnewAndA5bItsRightsComeFirst() {
        // a4c: it may be gone as soon as it has ended.
        repository
                .with("a/build.yaml", inlineBuild())
                .with("a/account.yaml", account("imagestreamtags"))
                .with("a/wait.yaml", waitJob("ttlSecondsAfterFinished: 0", LOOP))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        var second = repository
                .with("a/wait.yaml", waitJob("ttlSecondsAfterFinished: 300", LOOP))
                .commit();
        await("{.status.sync.revision}", second);
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        await("{.status.history[*].id}", "0 1");
        var first = kubectl.run("get", "job", "wait-for-image", "-o", "jsonpath={.metadata.uid}");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        await("{.status.history[*].id}", "0 1 2");
        assertThat(kubectl.run("get", "job", "wait-for-image", "-o", "jsonpath={.metadata.uid}"))
                .isNotEqualTo(first);
    }

    @Test
    void a4dTheHelperThatForgetsItsCounterFailsWithItsOwnWords() {
        var helper = """
                TIMEOUT=1
                while [ $ELAPSED -lt $TIMEOUT ]; do sleep 30; done
                exit 1
                """;
        repository
                .with("a/account.yaml", account("imagestreamtags"))
                .with("a/wait.yaml", waitJob("", helper))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}")).contains("unary operator expected");
    }

    @Test
    void a5AHookWithoutRightsSaysWhoMayNotDoWhatAndWhichRuleHelps() {
        repository
                .with("a/account.yaml", account("imagestreams"))
                .with("a/wait.yaml", waitJob("", "oc get imagestreamtag app:latest\n"))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}"))
                .contains("cannot get resource \"imagestreamtags\" in API group \"image.openshift.io\"");
        var explained =
                Program.towtank("app", "explain", name, "--data", SERVER.data().toString());
        assertThat(explained.out())
                .contains(
                        "the ServiceAccount " + kubectl.namespace() + "/builder",
                        "{apiGroups: [\"image.openshift.io\"]," + " resources: [imagestreamtags], verbs: [get]}");
    }

    @Test
    void a5AHookThatTriesForEverIsNamedWhileItRunsAndGoesOnWithItsRight() {
        repository
                .with("a/build.yaml", inlineBuild())
                .with("a/account.yaml", account("imagestreams"))
                .with("a/wait.yaml", waitJob("", LOOP.replace("30", "1")))
                .commit();
        apply("a", AUTOMATED);
        var condition = "{.status.conditions[?(@.type=='SyncWarning')].type}";
        await(condition, "SyncWarning");
        var told =
                "hook batch/Job/%1$s/wait-for-image: serviceaccount %1$s/builder cannot get imagestreamtags.image.openshift.io in %1$s"
                        .formatted(kubectl.namespace());
        assertThat(status("{.status.conditions[?(@.type=='SyncWarning')].message}"))
                .startsWith(told)
                .contains("{apiGroups: [\"image.openshift.io\"], resources: [imagestreamtags], verbs: [get]}");
        assertThat(status("{.status.operationState.phase}")).isEqualTo("Running");
        kubectl.await(
                "events", "--field-selector=involvedObject.name=wait-for-image,reason=Forbidden", "{.type}", "Warning");
        kubectl.run(
                "patch",
                "role",
                "builder",
                "--type=json",
                "-p",
                "[{\"op\":\"add\",\"path\":\"/rules/0/resources/-\",\"value\":\"imagestreamtags\"}]");
        await("{.status.operationState.phase}", "Succeeded");
        await(condition, "");
    }
}

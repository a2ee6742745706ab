package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The whole way of keys from a claimed bucket to models that answer; and that each check on the way can fail.
class S3ConfigurationIT {

    private static final Path STORY = Checkout.ROOT.resolve("examples/s3-configuration");
    private static final String SUCCEEDED = "{.status.conditions[?(@.type==\"Succeeded\")].status}";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @TempDir
    Path temp;

    private Kubectl kubectl;
    private Kubectl storage;

    @BeforeEach
    void makeNamespaces() {
        kubectl = SERVER.inNewNamespace();
        storage = SERVER.inNewNamespace();
    }

    private void apply(String... beginnings) throws IOException {
        apply(UnaryOperator.identity(), beginnings);
    }

    /// The files of the story whose names begin so, in namespaces of this test.
    private void apply(UnaryOperator<String> change, String... beginnings) throws IOException {
        try (var files = Files.list(STORY)) {
            var text = files.filter(Files::isRegularFile)
                    .filter(file -> List.of(beginnings).stream()
                            .anyMatch(each -> file.getFileName().toString().startsWith(each)))
                    .sorted(Comparator.naturalOrder())
                    .map(S3ConfigurationIT::read)
                    .collect(Collectors.joining("\n---\n"));
            // Not in a namespace of kubectl's own, since they say theirs.
            var outcome = Program.run(
                    List.of(
                            kubectl.binary().toString(),
                            "--kubeconfig",
                            kubectl.kubeconfig().toString(),
                            "apply",
                            "-f",
                            "-"),
                    change.apply(text)
                            .replace("self-healing-platform", kubectl.namespace())
                            .replaceAll("openshift-storage\\b(?!\\.noobaa)", storage.namespace()),
                    Map.of());
            assertThat(outcome.exit()).as(outcome.toString()).isZero();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startTask(String name, String task, String params) {
        startTask(name, "s3-configuration", task, params);
    }

    private void startTask(String name, String account, String task, String params) {
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: %s}
                spec:
                  serviceAccountName: %s
                  taskRef: {name: %s}
                  params: %s
                """.formatted(name, account, task, params), "apply", "-f", "-");
    }

    private void awaitSuccess(String name) {
        kubectl.await("taskruns/" + name, SUCCEEDED, "True");
    }

    private void awaitFailure(String name) {
        kubectl.await("taskruns/" + name, SUCCEEDED, "False");
    }

    private String log(String name) {
        return kubectl.run("logs", name + "-pod", "--all-containers");
    }

    private String result(String run, String name) {
        return kubectl.run(
                "get", "taskrun", run, "-o", "jsonpath={.status.results[?(@.name==\"" + name + "\")].value}");
    }

    /// A Secret as the story's own, but for what is given.
    private void makeSecret(String name, String... changes) {
        var data = kubectl.run(
                "get",
                "secret",
                "model-storage-config",
                "-o",
                "go-template={{range $key, $value := .data}}{{$key}}={{$value | base64decode}}{{\"\\n\"}}{{end}}");
        var lines = data.lines()
                .filter(line -> List.of(changes).stream()
                        .noneMatch(change -> change.substring(0, change.indexOf('=') + 1)
                                .equals(line.substring(0, line.indexOf('=') + 1))))
                .collect(Collectors.joining("\n"));
        kubectl.withInput(
                lines + "\n" + String.join("\n", changes) + "\n",
                "create",
                "secret",
                "generic",
                name,
                "--from-env-file=/dev/stdin");
    }

    /// T1 to T5 and the second format of the keys: As a newcomer types it.
    @Test
    void theWholeStoryRuns() throws Exception {
        // Not in the @TempDir, which would end with a warning for each of a thousand links that lead elsewhere.
        var state = Files.createTempDirectory("towtank-state");
        ShellProgram.Result run;
        try {
            run = new ShellProgram(temp, state).run("run", STORY.toString());
        } finally {
            RunningTowtank.deleteAll(state);
        }
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("PASS: the bucket of Secret model-storage-config was listed")
                .contains("anomaly-detector: has a placeholder now", "predictive-analytics: ready at generation")
                .contains("PASS: 2 models answer", "4 of 4 passed");
    }

    @Test
    void oneCommandShowsWhereTheChainIsBroken() throws IOException {
        apply("1", "2");
        kubectl.await("secrets/model-storage-config", "{.metadata.name}", "model-storage-config");
        kubectl.await(
                "externalsecrets/model-storage-config",
                "{.status.conditions[?(@.type==\"Ready\")].reason}",
                "SecretSynced");
        var whole = explain();
        assertThat(whole.exit()).as(whole.toString()).isZero();
        assertThat(whole.out()).contains("/model-storage-config  whole", "has the bucket", "opens with these keys");
        var secret = kubectl.run(
                "get",
                "secret",
                "model-storage-config",
                "-o",
                "go-template={{.data.AWS_SECRET_ACCESS_KEY | base64decode}}");
        assertThat(secret).hasSizeGreaterThan(20);

        storage.run("delete", "rolebinding", "external-secrets-reader");
        kubectl.await(
                "secretstores/kubernetes-secret-store", "{.status.conditions[?(@.type==\"Ready\")].status}", "False");
        var broken = explain();
        assertThat(broken.exit()).isEqualTo(1);
        assertThat(broken.out())
                .contains("/model-storage-config  broken at store")
                .contains("ServiceAccount " + kubectl.namespace() + "/external-secrets-sa cannot get resource")
                .doesNotContain(secret);
        // What it says can be typed.
        broken.out().lines().filter(line -> line.startsWith("kubectl ")).forEach(line -> {
            var words = line.split(" ", -1);
            storage.run(List.of(words).subList(3, words.length).toArray(String[]::new));
        });
        kubectl.await(
                "secretstores/kubernetes-secret-store", "{.status.conditions[?(@.type==\"Ready\")].status}", "True");
        assertThat(explain("-o", "json").out())
                .contains("\"link\":\"store\",\"state\":\"whole\"")
                .doesNotContain(secret);
    }

    private Program.Outcome explain(String... more) {
        var arguments = new ArrayList<>(List.of(
                "secrets",
                "explain",
                "model-storage-config",
                "-n",
                kubectl.namespace(),
                "--kubeconfig",
                kubectl.kubeconfig().toString()));
        arguments.addAll(List.of(more));
        return Program.towtank(arguments.toArray(String[]::new));
    }

    /// OBC-8, SS-5, SS-6: The templates of the record that this platform began with. A claim of the name that they read
    /// is all they need.
    @Test
    void theRecordWorksAsWritten() throws IOException {
        var templates = Files.createDirectories(temp.resolve("hub/templates"));
        Files.writeString(temp.resolve("hub/Chart.yaml"), "{apiVersion: v2, name: hub, version: 1.0.0}");
        Files.writeString(templates.resolve("externalsecrets-model-storage.yaml"), """
                apiVersion: external-secrets.io/v1beta1
                kind: ExternalSecret
                metadata:
                  name: model-storage-config
                  namespace: {{ .Values.main.namespace }}
                spec:
                  refreshInterval: 1h
                  secretStoreRef:
                    name: kubernetes-secret-store
                    kind: SecretStore
                  target:
                    name: model-storage-config
                    creationPolicy: Owner
                  data:
                  - secretKey: AWS_ACCESS_KEY_ID
                    remoteRef:
                      key: model-storage-obc-secret
                      property: AWS_ACCESS_KEY_ID
                  - secretKey: AWS_SECRET_ACCESS_KEY
                    remoteRef:
                      key: model-storage-obc-secret
                      property: AWS_SECRET_ACCESS_KEY
                """);
        Files.writeString(templates.resolve("secretstore-kubernetes.yaml"), """
                apiVersion: external-secrets.io/v1beta1
                kind: SecretStore
                metadata:
                  name: kubernetes-secret-store
                  namespace: {{ .Values.main.namespace }}
                spec:
                  provider:
                    kubernetes:
                      auth:
                        serviceAccount:
                          name: external-secrets-sa
                      remoteNamespace: openshift-storage
                """);
        var chart = temp.resolve("hub").toString();
        var rendered = Program.towtank("render", chart, "--set", "main.namespace=" + kubectl.namespace());
        assertThat(rendered.exit()).as(rendered.toString()).isZero();
        storage = storage.in("openshift-storage");
        kubectl.attempt("create", "namespace", "openshift-storage");
        kubectl.run("create", "serviceaccount", "external-secrets-sa");
        storage.run("create", "role", kubectl.namespace(), "--verb=get", "--resource=secrets");
        storage.run(
                "create",
                "rolebinding",
                kubectl.namespace(),
                "--role=" + kubectl.namespace(),
                "--serviceaccount=" + kubectl.namespace() + ":external-secrets-sa");
        storage.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: model-storage-obc-secret}
                spec: {storageClassName: openshift-storage.noobaa.io, generateBucketName: model-storage}
                """, "apply", "-f", "-");
        kubectl.withInput(rendered.out(), "apply", "-f", "-");

        kubectl.await(
                "externalsecrets/model-storage-config",
                "{.status.conditions[?(@.type==\"Ready\")].reason}",
                "SecretSynced");
        var keys = "jsonpath={.data.AWS_ACCESS_KEY_ID} {.data.AWS_SECRET_ACCESS_KEY}";
        assertThat(kubectl.run("get", "secret", "model-storage-config", "-o", keys))
                .isEqualTo(storage.run("get", "secret", "model-storage-obc-secret", "-o", keys))
                .doesNotStartWith(" ");

        // Its pipeline, as written: its Secret does not say where the store is, so the first check waits for that, and
        // nothing behind it starts.
        apply("4", "5");
        kubectl.run("delete", "pipeline", "s3-configuration-pipeline");
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata:
                  name: s3-configuration-pipeline
                spec:
                  tasks:
                  - name: validate-s3
                    taskRef:
                      name: validate-s3-connectivity
                  - name: upload-placeholders
                    taskRef:
                      name: upload-placeholder-models
                    runAfter: [validate-s3]
                  - name: reconcile-services
                    taskRef:
                      name: reconcile-inferenceservices
                    runAfter: [upload-placeholders]
                  - name: validate-serving
                    taskRef:
                      name: validate-model-serving
                    runAfter: [reconcile-services]
                ---
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: recorded}
                spec:
                  pipelineRef: {name: s3-configuration-pipeline}
                  timeouts: {pipeline: 20s}
                """, "apply", "-f", "-");

        var linted = Files.writeString(temp.resolve("rendered.yaml"), rendered.out());
        var lint = Program.towtank("lint", linted.toString());
        assertThat(lint.out()).contains("external-secrets.io/v1beta1").contains("the SecretStore names no server");

        kubectl.await("pipelineruns/recorded", SUCCEEDED, "False");
        assertThat(kubectl.run("get", "taskruns", "-o", "name"))
                .isEqualToIgnoringNewLines("taskrun.tekton.dev/recorded-validate-s3");
    }

    /// T1 and the table of failures.
    @Test
    void aBucketThatCannotBeUsedIsFoundOut() throws IOException {
        apply("1", "2", "4", "5");
        kubectl.await("secrets/model-storage-config", "{.metadata.name}", "model-storage-config");
        makeSecret("forged", "AWS_SECRET_ACCESS_KEY=wrong");
        makeSecret("unknown", "AWS_ACCESS_KEY_ID=NOBODY");
        makeSecret("unreachable", "AWS_S3_ENDPOINT=http://127.0.0.1:9");
        makeSecret("elsewhere", "AWS_S3_BUCKET=of-nobody");
        makeSecret("half", "AWS_S3_BUCKET=");
        for (var secret : List.of("forged", "unknown", "unreachable", "elsewhere", "half", "absent")) {
            startTask(
                    secret,
                    "validate-s3-connectivity",
                    "[{name: secret-name, value: " + secret + "}, {name: wait, value: \"2\"}]");
        }

        awaitFailure("forged");
        assertThat(log("forged"))
                .contains("SignatureDoesNotMatch", "does not open with the keys of Secret forged")
                .contains("ObjectBucketClaim " + storage.namespace() + "/model-storage");
        awaitFailure("unknown");
        assertThat(log("unknown")).contains("InvalidAccessKeyId");
        awaitFailure("unreachable");
        assertThat(log("unreachable")).contains("nobody answers at 127.0.0.1:9", "Connection refused");
        awaitFailure("elsewhere");
        assertThat(log("elsewhere")).contains("AccessDenied", "does not open with the keys of Secret elsewhere");
        awaitFailure("half");
        assertThat(log("half")).contains("Secret half is not there, or has no AWS_S3_BUCKET");
        awaitFailure("absent");
        assertThat(log("absent")).contains("Secret absent is not there, or has no AWS_ACCESS_KEY_ID, after 2 s");
    }

    /// T1 and T2, by the small client of our own, which every server has.
    @Test
    void placeholdersNeverReplaceAModel() throws IOException {
        apply(text -> text.replace("amazon/aws-cli:2.9.19", "towtank/s3"), "1", "2", "4", "5");
        startTask("connect", "validate-s3-connectivity", "[]");
        awaitSuccess("connect");
        assertThat(result("connect", "endpoint")).isEqualTo("http://s3.openshift-storage.svc:6001");
        assertThat(result("connect", "bucket")).startsWith("model-storage-");
        assertThat(result("connect", "latency-ms")).matches("\\d+");

        startTask("first", "upload-placeholder-models", "[{name: models, value: [one=3]}]");
        awaitSuccess("first");
        assertThat(result("first", "uploaded")).isEqualTo("one");
        startTask("second", "upload-placeholder-models", "[{name: models, value: [one=3, two=4]}]");
        startTask("wrong", "upload-placeholder-models", "[{name: models, value: [../x=3]}]");
        makeSecret("forged", "AWS_SECRET_ACCESS_KEY=wrong");
        startTask("forged", "validate-s3-connectivity", "[{name: secret-name, value: forged}]");
        awaitSuccess("second");
        assertThat(result("second", "uploaded")).isEqualTo("two");
        assertThat(result("second", "kept")).isEqualTo("one");
        awaitFailure("wrong");
        assertThat(log("wrong")).contains("expected name=features");
        awaitFailure("forged");
        assertThat(log("forged"))
                .contains("(SignatureDoesNotMatch) when calling the ListObjectsV2 operation")
                .contains("does not open with the keys of Secret forged");
    }

    /// T3, T4 and RB-3.
    @Test
    void modelsThatDoNotServeAreFoundOut() throws IOException {
        apply("4", "5");
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: empty}
                spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: "pvc://nobody/empty"}}}
                """, "apply", "-f", "-");
        var reconcile = "reconcile-inferenceservices";
        startTask("forbidden", "default", reconcile, "[{name: models, value: [empty=3]}]");
        startTask("missing", reconcile, "[{name: models, value: [other=3]}]");
        startTask("late", reconcile, "[{name: models, value: [empty=3]}, {name: timeout, value: \"1\"}]");
        startTask("unserved", "validate-model-serving", "[{name: models, value: [empty=3]}]");

        awaitFailure("forbidden");
        assertThat(log("forbidden"))
                .contains(" resource \"inferenceservices\" in API group \"serving.kserve.io\"")
                .contains("HINT: the account of this run needs a Role with {apiGroups: [serving.kserve.io]");
        awaitFailure("missing");
        assertThat(log("missing")).contains("\"other\" not found", "FAIL: InferenceService other cannot be changed");
        awaitFailure("late");
        assertThat(log("late")).contains("FAIL: not ready after 1 s: empty (generation ");
        awaitFailure("unserved");
        assertThat(log("unserved")).contains("FAIL: InferenceService empty has no address yet");
    }

    /// T6: the tools that the recorded tasks call, in the images that they name; what they install is there, and an
    /// installation that finds no network does no harm.
    @Test
    void theToolsOfTheRecordedTasksAreThere() {
        for (var image : List.of("quay.io/takinosh/maintenance-tools:latest", "quay.io/openshift/origin-cli:latest")) {
            var name = image.contains("origin") ? "origin" : "maintenance";
            kubectl.withInput("""
                    apiVersion: tekton.dev/v1
                    kind: TaskRun
                    metadata: {name: %s}
                    spec:
                      taskSpec:
                        steps:
                        - name: tools
                          image: %s
                          script: |
                            #!/bin/bash
                            set -e
                            for tool in oc kubectl curl base64 jq; do command -v $tool; done
                            which aws &>/dev/null || (pip install awscli &>/dev/null || pip3 install awscli &>/dev/null) || echo "no aws"
                            [[ $(echo "$(echo x | base64 -d 2>/dev/null)") != y ]] && echo done
                    """.formatted(name, image), "apply", "-f", "-");
            awaitSuccess(name);
            assertThat(log(name)).contains("/oc", "/kubectl", "/curl", "/base64", "/jq", "done");
        }
        assertThat(log("maintenance")).doesNotContain("no aws");
    }

    /// By the name that it has in OpenShift, over TLS with the authority that every pod has.
    @Test
    void podsReachTheStoreByItsNameOverTls() throws IOException {
        apply("1", "2", "5");
        kubectl.await("secrets/model-storage-config", "{.metadata.name}", "model-storage-config");
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: sealed}
                spec:
                  taskSpec:
                    steps:
                    - name: ask
                      image: towtank/s3
                      envFrom: [{secretRef: {name: model-storage-config}}]
                      script: |
                        #!/bin/bash
                        set -e
                        ca=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt
                        s3() { aws --endpoint-url https://s3.openshift-storage.svc "$@"; }
                        s3 --ca-bundle $ca s3 cp $ca s3://$AWS_S3_BUCKET/ca.crt --quiet
                        s3 --ca-bundle $ca s3 cp s3://$AWS_S3_BUCKET/ca.crt - | cmp - $ca
                        if s3 s3 ls; then exit 1; fi
                        echo sealed
                """, "apply", "-f", "-");
        awaitSuccess("sealed");
        assertThat(log("sealed")).contains("PKIX path building failed", "sealed");
    }

    /// T5.
    @Test
    void whatDidNotRunHasNotPassed() throws IOException {
        apply("1", "2", "4", "5");
        storage.run("delete", "rolebinding", "external-secrets-reader");
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: broken}
                spec:
                  pipelineRef: {name: s3-configuration-pipeline}
                  params: [{name: secret-name, value: nobody}, {name: wait, value: "1"}]
                """, "apply", "-f", "-");
        kubectl.await("pipelineruns/broken", SUCCEEDED, "False");
        assertThat(kubectl.run("get", "taskruns", "-o", "name"))
                .isEqualToIgnoringNewLines("taskrun.tekton.dev/broken-reporttaskrun.tekton.dev/broken-validate-s3");
        assertThat(log("broken-report")).contains("FAIL     validate-s3", "NOT RUN  validate-serving", "0 of 4 passed");
    }
}

package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What looks like a mistake in trees of files and is none.
final class LintPrecisionTest {

    private static final String FINE = "nothing to complain about";

    private static final String WORKLOAD = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              template:
                metadata: {labels: {tier: front}}
                spec: {containers: [{name: web, image: "web:1"}]}
            """;

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() throws IOException {
        tree.begin(temp);
    }

    private void put(String name, String text) throws IOException {
        tree.put(name, text);
    }

    private String linted(String folder) {
        return tree.linted(folder);
    }

    @Test
    void templatesOfOtherLanguagesAreNoYaml() throws IOException {
        put("a/service.yaml", "kind: Service\nspec:\n  clusterIP: {PREFIX}.16\n");
        put("a/pod.yaml", "kind: Pod\nspec:\n  containers:\n  - image: {user}/server:1\n");
        put("templates/kustomization.yaml", "resources:\n{% for each in all %}\n- {{ each }}\n{% endfor %}\n");

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatAScriptMakesIsNotMissing() throws IOException {
        put(
                "web/kustomization.yaml",
                "configMapGenerator: [{name: a, envs: [settings.properties]}]\nresources: [upstream/web]\n");
        assertThat(linted("")).contains("1 warning", "unrenderable");

        put("web/kustomization.yaml", "configMapGenerator: [{name: a, envs: [settings.properties]}]\n");
        put("web/up.sh", "FILE=\"$HERE/settings.properties\"\n");
        assertThat(linted("")).contains(FINE);

        put("web/kustomization.yaml", "resources: [upstream/web]\n");
        put("pull.sh", "kpt pkg get https://git.example.com/web web/upstream\n");
        assertThat(linted("")).contains(FINE);

        put("web/kustomization.yaml", "resources: [db-sealed-secret.yaml]\n");
        assertThat(linted("")).contains(FINE);

        put("web/kustomization.yaml", "# resources: [upstream/web]\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void operatorsMakeSecrets() throws IOException {
        put("a.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: a, image: 'a:1', envFrom: [{secretRef: {name: web-keys}}]}]}
                ---
                apiVersion: secrets.hashicorp.com/v1beta1
                kind: VaultStaticSecret
                metadata: {name: other-keys}
                spec: {destination: {name: web-keys, create: true}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: web-key}
                stringData: {a: b}
                """);
        assertThat(linted("")).contains(FINE);

        put("a.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: a, image: 'a:1', envFrom: [{secretRef: {name: web-keys}}]}]}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: web-key}
                stringData: {a: b}
                """);
        assertThat(linted("")).contains("undefined-secret", "Did you mean \"web-key\"?");
    }

    @Test
    void whatIsEncryptedIsForOthers() throws IOException {
        put("a.yaml", "\0GITCRYPT\0\1\2\3");
        put("b.yaml", "$ANSIBLE_VAULT;1.1;AES256\n6162\n");
        assertThat(linted("")).contains(FINE);

        put("c.yaml", "a: \0\n");
        assertThat(linted("")).contains("c.yaml", "this is a binary file");
    }

    @Test
    void whatATextDescribesIsNotItsValue() throws IOException {
        var secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {key: %s}\n";
        put("a.yaml", secret.formatted("your private key in base64"));
        put("b.yaml", secret.formatted("EXAMPLE"));
        assertThat(linted("")).contains(FINE);

        put("c.yaml", secret.formatted("my-password"));
        assertThat(linted("")).contains("1 error", "illegal base64");
    }

    @Test
    void aNameOfCapitalsIsFilledIn() throws IOException {
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {nodeName: %s, containers: [{name: a, image: 'a:1'}]}
                """;
        put("a.yaml", pod.formatted("HOSTNAME"));
        assertThat(linted("")).contains(FINE);

        put("b.yaml", pod.formatted("Node_1"));
        assertThat(linted("")).contains("1 error");
    }

    @Test
    void jsonWithCommentsIsForOtherPrograms() throws IOException {
        put("extensions.json", "/**\n * a: b: c\n */\n[{\"kind\": \"Pod\", \"spec\": {}}]\n");

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatTellsAToolWhatToDoIsForNoServer() throws IOException {
        put("function.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: not_a_name
                  annotations: {config.kubernetes.io/function: "container: {image: a}"}
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void pipelinesAsCodeForgetsWhatItDoesNotKnow() throws IOException {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: check}
                spec:
                  description: what it does
                  pipelineRef: {resolver: git}
                """;
        put(".tekton/check.yaml", run);
        assertThat(linted(""))
                .contains("1 warning", "has no field \"description\"")
                .doesNotContain("error");

        put("runs/check.yaml", run);
        assertThat(linted("")).contains("1 error, 1 warning");
    }

    @Test
    void konfluxMakesABundleOfANameAndAVersion() throws IOException {
        put("pipelines/build.yaml", """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: build}
                spec:
                  tasks: [{name: init, taskRef: {name: init, version: "0.2"}}]
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void flagsAreWarnedOfUnlessTheFolderSaysSo() throws IOException {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: choose}
                spec:
                  params: [{name: colour, enum: [red, blue]}]
                  steps: [{image: "busybox:1.36", command: [echo, $(params.colour)]}]
                """;
        put("alpha/task.yaml", task);
        assertThat(linted("")).contains(FINE);

        put("tasks/task.yaml", task);
        assertThat(linted("tasks/task.yaml")).contains("1 warning", "feature-flag");
    }

    @Test
    void aResultMayBeAList() throws IOException {
        put("run.yaml", """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: listy}
                spec:
                  params: [{name: words, type: array}]
                  results: [{name: words, type: array}]
                  steps:
                  - image: busybox:1.36
                    args: ["$(params.words[*])"]
                    script: echo '[]' > $(results.words.path)
                ---
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: chain}
                spec:
                  tasks:
                  - {name: a, taskRef: {name: listy}, params: [{name: words, value: []}]}
                  - {name: b, taskRef: {name: listy}, params: [{name: words, value: $(tasks.a.results.words)}]}
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatAGivenScriptWritesNobodySees() throws IOException {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: any}
                spec:
                  params: [{name: script}]
                  results: [{name: output}]
                  steps:
                  - image: busybox:1.36
                    script: |
                      cd /workspace || exit
                      %s
                """;
        put("task.yaml", task.formatted("$(params.script)"));
        assertThat(linted("")).contains(FINE);

        put("task.yaml", task.formatted("echo $(params.script)"));
        assertThat(linted("")).contains("unwritten-result");
    }

    @Test
    void whatAnOperatorMakesHasLabelsOfItsOwn() throws IOException {
        put("rules/service.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: ruler}
                spec: {selector: {app: ruler}, ports: [{port: 80}]}
                """);
        put("rules/pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: query, labels: {app: query}}
                spec: {containers: [{name: a, image: "a:1"}]}
                """);
        assertThat(linted("")).contains("unmatched-selector");

        put("rules/ruler.yaml", "apiVersion: monitoring.example.com/v1\nkind: Ruler\nmetadata: {name: ruler}\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void anImageOfAnExampleMayBeAny() throws IOException {
        var pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: nginx}]}\n";
        put("examples/pod.yaml", pod);
        put("docs/pod.yaml", pod);
        assertThat(linted("")).contains(FINE);

        put("deploy/pod.yaml", pod);
        assertThat(linted("deploy/pod.yaml")).contains("1 warning", "image-latest");
    }

    @Test
    void whatAPolicyComparesIsNoWholeObject() throws IOException {
        put("policies/input/status.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: central}
                status: {conditions: [{type: Available, status: "True"}]}
                """);
        tree.beOfANewCluster();
        put("policies/input/job.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n");
        assertThat(linted("policies/input")).contains("spec.selector: Required value");
        assertThat(linted("")).contains("1 error", "batch/v1beta1");

        put("policies/generator.yaml", """
                apiVersion: policy.open-cluster-management.io/v1
                kind: PolicyGenerator
                metadata: {name: all}
                policies: [{name: one, manifests: [{path: input/}]}]
                """);
        assertThat(linted("")).contains("1 error", "batch/v1beta1");
    }

    @Test
    void whatACommentListsMayBeCompleted() throws IOException {
        put("base/kustomization.yaml", "resources: [a.yaml]\n");
        put("base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        put("base/more.yaml", WORKLOAD.replace(", image: \"web:1\"", ""));
        assertThat(linted("base")).contains("spec.selector: Required value", "containers[0].image: Required value");

        put("base/kustomization.yaml", "resources: [a.yaml]\npatches:\n#- path: more.yaml # later\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatSomebodyWritesOverIsNoYaml() throws IOException {
        put("map.yaml", "kind: ConfigMap\ndata:\n  type: <kind of repository: github, gitlab>\n");
        put("answer.json", "{\"kind\": \"List\", \"key\": ${known_KEY_JSON}, \"metadata\": {}}\n");
        put("store.yaml", "kind: Store\nspec:\n  region: %REGION%\n");
        assertThat(linted("")).contains(FINE);

        put("plain.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  type: kind: github\n");
        assertThat(linted("")).contains("1 error", "yaml-syntax");
    }

    @Test
    void theVersionOfAnImageMayStandBesideIt() throws IOException {
        var release = """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: a}
                spec: {values: {image: web%s}}
                """;
        put("a.yaml", release.formatted(", tag: v1"));
        assertThat(linted("")).contains(FINE);

        put("a.yaml", release.formatted(""));
        assertThat(linted("a.yaml")).contains("image-latest");
    }

    @Test
    void whatCannotBePulledIsNoImage() throws IOException {
        var policy = """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: images}
                spec: {pattern: {containers: [{image: '%s'}]}}
                """;
        put("a.yaml", policy.formatted("!*:latest"));
        put("b.yaml", policy.formatted("string | default=nginx"));
        put("c.yaml", policy.formatted("__IMAGE__"));
        assertThat(linted("")).contains(FINE);

        put("d.yaml", policy.formatted("registry.example.com:5000/a/b"));
        assertThat(linted("d.yaml")).contains("1 warning", "image-latest");
    }

    @Test
    void documentsOfOldVersionsAreDocuments() throws IOException {
        put("versioned_docs/version-1/pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: a, image: nginx}]}
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void wordsBetweenUnderscoresAreReplaced() throws IOException {
        put("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  key: _replaced_\n");
        assertThat(linted("")).contains(FINE);

        put("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  key: in-clear!\n");
        assertThat(linted("")).contains("illegal base64");
    }

    @Test
    void programsOfYttKnowWhatTheyDo() throws IOException {
        var text = """
                #@ def more():
                metrics: {all: true}
                #@ end
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: a}
                metrics: {all: true}
                """;
        put("names.yaml", text);
        assertThat(linted("")).contains(FINE);

        put("names.yaml", text.substring(text.indexOf("---")));
        assertThat(linted("")).contains("unknown field \"metrics\"");
    }

    @Test
    void aRunOfATriggerBringsVolumes() throws IOException {
        put("task.yaml", """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: build}
                spec:
                  steps: [{name: a, image: "busybox:1", volumeMounts: [{name: cache, mountPath: /cache}]}]
                """);
        assertThat(linted("")).contains("mounts a volume \"cache\" that it does not declare");

        put("trigger.yaml", """
                apiVersion: triggers.tekton.dev/v1beta1
                kind: TriggerTemplate
                metadata: {name: nightly}
                spec:
                  resourcetemplates:
                  - apiVersion: tekton.dev/v1
                    kind: TaskRun
                    metadata: {generateName: nightly-}
                    spec: {taskRef: {name: build}, podTemplate: {volumes: [{name: cache, emptyDir: {}}]}}
                """);
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void aSecretMayBeCreatedByAScript() throws IOException {
        put("accounts.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builders}\n");
        put("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec: {serviceAccountName: builder, containers: [{name: web, image: "web:1"}]}
                """);
        assertThat(linted("")).contains("no file here defines the ServiceAccount \"builder\"");

        put("prepare.sh", "kubectl create serviceaccount builder\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void aLineOfAVariableIsFilledIn() throws IOException {
        var text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: b\n  %s\n  c: d\n";
        put("settings.yaml", text.formatted("MORE"));
        assertThat(linted("")).contains("yaml-syntax");

        put("settings.yaml", text.formatted("${MORE}"));
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void anUnknownFieldWithNothingInItIsAWarning() throws IOException {
        put("settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nconfigMap:\n");

        assertThat(linted(""))
                .contains("warning", "unknown field \"configMap\"")
                .doesNotContain("error  ");
    }

    @Test
    void aJobWithoutLabelsHasNoneToComplainAbout() throws IOException {
        put("job.yaml", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: told-}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "web:1"}]}}}
                """);

        assertThat(linted("")).contains("metadata.name: Invalid value").doesNotContain("metadata.labels");
    }
}

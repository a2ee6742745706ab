package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What looks like a mistake where Kustomize builds what is applied, and is none.
final class LintKustomizePrecisionTest {

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
    void basesAreCompletedLikeResources() throws IOException {
        put("manager/kustomization.yaml", "resources: [manager.yaml]\n");
        put("manager/manager.yaml", WORKLOAD);
        assertThat(linted("manager")).contains("spec.selector: Required value");

        put("default/kustomization.yaml", "bases: [../manager]\ncommonLabels: {app: web}\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatIsPartlyElsewhereMayAddAnything() throws IOException {
        put("app/kustomization.yaml", "resources: [app.yaml, 'https://git.example.com/base//all?ref=v1']\n");
        put("app/app.yaml", WORKLOAD);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whatKustomizeReadsAsATextIsOne() throws IOException {
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: a, image: 'a:1', args: [--flash, on]}]}
                """;
        put("web/kustomization.yaml", "resources: [pod.yaml]\n");
        put("web/pod.yaml", pod);
        assertThat(linted("")).contains(FINE);

        put("plain/pod.yaml", pod);
        assertThat(linted("")).contains("plain/pod.yaml", "1 error", "args[1] must be a text");
    }

    @Test
    void annotationsOfPatchesBecomeTexts() throws IOException {
        put("kustomization.yaml", """
                resources: ['https://git.example.com/base//all?ref=v1']
                patchesStrategicMerge: [class.yaml]
                """);
        put("class.yaml", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: a, annotations: {storageclass.kubernetes.io/is-default-class: true}}
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void fluxLetsKustomizeMakeTextsOfAnnotations() throws IOException {
        var namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, annotations: {a: 1}}\n";
        put("flux.yaml", """
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: all}
                spec: {path: ./apps}
                """);
        put("apps/a/namespace.yaml", namespace);
        assertThat(linted("")).contains(FINE);

        put("others/namespace.yaml", namespace);
        assertThat(linted("")).contains("others/namespace.yaml", "1 error", "annotations.a must be a text");
    }

    @Test
    void whatAPatchWritesIsWritten() throws IOException {
        put("tasks/kustomization.yaml", "resources: [task.yaml]\n");
        put("tasks/task.yaml", """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: a}
                spec: {results: [{name: digest}], steps: [{name: a, image: 'a:1', script: 'true'}]}
                """);
        assertThat(linted("")).contains("unwritten-result");

        put("tasks/kustomization.yaml", """
                resources: [task.yaml]
                patches:
                - target: {kind: Task}
                  patch: |
                    - op: add
                      path: /spec/steps/-
                      value: {name: b, image: 'a:1', script: 'echo 1 > $(results.digest.path)'}
                """);
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void aPatchWithATargetNeedsNoVersion() throws IOException {
        put("app/proxy/args.yaml", "kind: Job\nmetadata: {name: any}\nspec: {template: {spec: {hostNetwork: true}}}\n");
        assertThat(linted("")).contains("no-kind");

        put("app/kustomization.yaml", "resources: [a.yaml]\npatches: [{path: proxy/args.yaml, target: {kind: Job}}]\n");
        put("app/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void patchesThatNobodyListsAreFound() throws IOException {
        var part = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\nspec: {suspend: true}\n";
        put("config/patches/suspended.yaml", part);
        put("config/job-overlay.yaml", part);
        assertThat(linted("")).contains(FINE);

        put("config/suspended.yaml", part);
        tree.beOfANewCluster();
        assertThat(linted("")).contains("unserved-version");
    }

    @Test
    void whatAComponentMakesIsCompletedByOthers() throws IOException {
        put("part/kustomization.yaml", """
                apiVersion: kustomize.config.k8s.io/v1alpha1
                kind: Component
                resources: [secret.yaml]
                """);
        put("part/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {key: '***'}\n");

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void aPatchMayBeOfAnyKind() throws IOException {
        put("roles/kustomization.yaml", """
                resources: [role.yaml]
                patches:
                - {path: rules.yaml, target: {kind: ClusterRole}}
                """);
        put("roles/role.yaml", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: []
                """);
        put("roles/rules.yaml", """
                apiVersion: apps/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
                """);

        assertThat(linted("")).contains(FINE);
    }

    @Test
    void whoseNeighboursAreListedIsLeftOut() throws IOException {
        put("apply.sh", "kubectl apply -k all\n");
        put("all/kustomization.yaml", "resources: [../app/image.yaml]\n");
        put("app/image.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        put("app/other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nnothing: {}\n");
        assertThat(linted("")).contains(FINE);

        put("all/kustomization.yaml", "resources: [../app/image.yaml, ../app/other.yaml]\n");
        assertThat(linted("")).contains("unknown field \"nothing\"");
    }

    @Test
    void whatGitKeepsEncryptedIsReadByOthers() throws IOException {
        put("locked/web.yaml", "\0GITCRYPT\0\u0001\u0002");
        put("locked/kustomization.yaml", "resources: [web.yaml]\n");
        put("locked/env/token.env", "\0GITCRYPT\0a=b");
        put("locked/env/kustomization.yaml", "secretGenerator: [{name: a, envs: [token.env]}]\n");

        assertThat(linted("")).contains(FINE);
    }
}

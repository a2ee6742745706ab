package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.engine.EmbeddedEngine;
import dev.towtank.app.engine.HeadStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applications in files, without a server.
final class AppPreviewTest {

    private final Terminal terminal = new Terminal();

    @TempDir
    Path temp;

    @BeforeEach
    void makeRepository() throws IOException, GitAPIException {
        terminal.environment.put("HOME", temp.resolve("home").toString());
        terminal.environment.put("XDG_STATE_HOME", temp.resolve("state").toString());
        terminal.engine = new EmbeddedEngine(HeadStart.of());
        file("app.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: demo}
                spec:
                  source: {repoURL: "https://git.example.com/platform", path: objects}
                  destination: {name: production, namespace: demo}
                  syncPolicy: {syncOptions: [CreateNamespace=true]}
                """);
        file("objects/a.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: first, annotations: {argocd.argoproj.io/sync-wave: "-1"}}
                data: {size: small}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: password}
                stringData: {word: first-secret}
                """);
        file("objects/wait.yaml", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: wait, annotations: {argocd.argoproj.io/hook: PostSync}}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      serviceAccountName: waiter
                      containers:
                      - name: wait
                        image: busybox:1.37
                        command: [bash, -c, "while ! oc get imagestreamtag image:latest; do sleep 1; done"]
                """);
        try (var git = Git.init().setDirectory(temp.resolve("repo").toFile()).call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("first")
                    .setAuthor("a", "a@example.com")
                    .setSign(false)
                    .call();
        }
    }

    private void file(String name, String text) throws IOException {
        var file = temp.resolve("repo").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int run(String action, String... more) {
        var words = new String[5 + more.length];
        words[0] = "app";
        words[1] = action;
        words[2] = temp.resolve("repo/app.yaml").toString();
        words[3] = "--repository";
        words[4] = temp.resolve("repo").toString();
        System.arraycopy(more, 0, words, 5, more.length);
        return terminal.run(words);
    }

    @Test
    void thePlanTellsWavesHooksAndTheRightThatAHookLacks() throws IOException {
        assertThat(run("plan")).isEqualTo(1);
        assertThat(terminal.out()).isEqualTo("""
                demo: 3 to create, 1 to run, in 4 steps
                  PreSync
                    + Namespace demo
                  Sync, wave -1
                    + ConfigMap first
                  Sync
                    + Secret password
                  PostSync
                    > Job wait
                    then waits for Job wait to end
                  It would fail:
                    Job wait will be refused: serviceaccount demo/waiter cannot get imagestreamtags.image.openshift.io.\
                 Add to a Role that is bound to it: {apiGroups: ["image.openshift.io"], resources: [imagestreamtags], verbs: [get]}
                """);
        file("objects/rights.yaml", """
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: waiter}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: waits}
                rules: [{apiGroups: [image.openshift.io], resources: [imagestreamtags], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: waits}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: waits}
                subjects: [{kind: ServiceAccount, name: waiter, namespace: demo}]
                """);
        assertThat(run("plan")).isZero();
        assertThat(terminal.out())
                .contains("    + Role waits\n    + RoleBinding waits\n")
                .doesNotContain("fail");
    }

    @Test
    void thePlanTellsWhatTheServerWouldNotTake() throws IOException {
        file("objects/wait.yaml", """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: few}}
                ---
                {apiVersion: nobody.example.com/v1, kind: Unknown, metadata: {name: thing}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: first}}
                """);
        assertThat(run("plan")).isEqualTo(1);
        assertThat(terminal.out())
                .contains(
                        "It would fail:",
                        "Deployment web: ",
                        "Unknown thing: The Kubernetes API could not find nobody.example.com/Unknown",
                        "Put the CRD into the repository",
                        "RepeatedResourceWarning: Resource /ConfigMap/demo/first appeared 2 times");
    }

    @Test
    void theDiffIsAgainstWhatIsCommittedAndShowsNoSecret() throws IOException {
        assertThat(run("diff")).isZero();
        assertThat(terminal.out()).isEmpty();
        file("objects/a.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: first, annotations: {argocd.argoproj.io/sync-wave: "-1"}}
                data: {size: large}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: password}
                stringData: {word: second-secret}
                """);
        Files.delete(temp.resolve("repo/objects/wait.yaml"));
        assertThat(run("diff")).isEqualTo(1);
        assertThat(terminal.out())
                .contains("===== ConfigMap first\n", "-   size: small\n+   size: large\n")
                .contains("-   word: (hidden, before)\n+   word: (hidden, after)\n")
                .contains("===== batch/Job wait  (goes)\n")
                .doesNotContain("first-secret", "second-secret");
    }

    @Test
    void filesAreRenderedListedAndExplained() throws IOException {
        assertThat(run("render")).isZero();
        assertThat(terminal.out()).contains("kind: ConfigMap", "kind: Job");
        assertThat(run("list")).isZero();
        assertThat(terminal.out()).contains("demo", "DESTINATION");
        assertThat(run("explain")).isZero();
        assertThat(terminal.out()).contains("No sync has run.");
        assertThat(run("sync")).isNotZero();
        assertThat(terminal.err()).contains("sync needs a server");
        file("app.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n");
        assertThat(run("plan")).isNotZero();
        assertThat(terminal.err()).contains("There is no Application in");
    }

    @Test
    void severalFilesAreShownOneAfterTheOther() throws IOException {
        file("second.yaml", Files.readString(temp.resolve("repo/app.yaml")).replace("name: demo}", "name: second}"));
        assertThat(run("plan", temp.resolve("repo/second.yaml").toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("demo: 3 to create, 1 to run", "second: 3 to create, 1 to run");
        assertThat(run("plan", "demo")).isEqualTo(1);
        assertThat(terminal.err()).contains("demo is the name of no file");
    }
}

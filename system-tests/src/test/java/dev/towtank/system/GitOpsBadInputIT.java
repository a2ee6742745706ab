package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.hook;
import static dev.towtank.system.ApplicationYaml.job;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Repositories and Applications as nobody wants them: the status says what is wrong, and nothing is deleted by
/// mistake.
class GitOpsBadInputIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private String conditions() {
        return status("{range .status.conditions[*]}{.type}: {.message}{'\\n'}{end}");
    }

    private void awaitCondition(String type) {
        await("{.status.conditions[0].type}", type);
    }

    private void git(String... words) {
        var command = new java.util.ArrayList<>(List.of(
                "git",
                "-C",
                repository.directory().toString(),
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.com",
                "-c",
                "protocol.file.allow=always"));
        command.addAll(List.of(words));
        assertThat(Program.run(command).exit()).isZero();
    }

    @Test
    void repeatedAndSharedObjectsAndWavesThatAreNoNumbersAreTold() {
        repository
                .with("a/one.yaml", configMap("one", "argocd.argoproj.io/sync-wave: soon"))
                .with("a/again.yaml", configMap("one", ""))
                .with("a/other.yaml", configMap("other", wave(1)))
                .commit();
        apply("a", AUTOMATED);
        awaitCondition("RepeatedResourceWarning");
        assertThat(conditions())
                .contains("Resource /ConfigMap/" + kubectl.namespace()
                        + "/one appeared 2 times among application resources.");
        awaitHealthy();
        assertThat(status("{.status.resources[?(@.name=='one')].syncWave}")).isIn("", "0");
        var first = name;
        name = first + "-second";
        apply("a", "syncPolicy: {syncOptions: [FailOnSharedResource=true]}");
        await(
                "{.status.conditions[?(@.type=='SharedResourceWarning')].type}",
                "SharedResourceWarning SharedResourceWarning");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{}}}");
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains("Shared resource found");
        argocd.run("delete", "app", name, "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("configmap/one", "configmap/other");
    }

    @Test
    void kindsThatNobodyKnowsFailTheSyncBeforeAnythingIsApplied() {
        repository
                .with("a/one.yaml", configMap("one", wave(-1)))
                .with("a/thing.yaml", "apiVersion: nobody.example.com/v1\nkind: Thing\nmetadata: {name: thing}\n")
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains(
                        "The Kubernetes API could not find nobody.example.com/Thing",
                        "Make sure the \"Thing\" CRD is installed");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
    }

    @Test
    void nothingOutsideOfARepositoryIsShown() throws IOException {
        var secret = Files.writeString(directory.resolve("secret.yaml"), configMap("secret", ""));
        repository.with("a/one.yaml", configMap("one", ""));
        Files.createSymbolicLink(repository.directory().resolve("a/link.yaml"), secret);
        Files.createSymbolicLink(repository.directory().resolve("a/up"), Path.of("../.."));
        repository.with("a/big.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
        repository.commit();
        var other = GitRepository.in(directory);
        other.with("sub.yaml", configMap("sub", "")).commit();
        git("submodule", "--quiet", "add", other.url(), "a/sub");
        repository.commit();
        applyTo(
                "{name: in-cluster, namespace: " + kubectl.namespace() + "}",
                "a, directory: {recurse: true}",
                AUTOMATED);
        awaitHealthy();
        assertThat(kubectl.run("get", "configmaps", "-o", "name"))
                .contains("configmap/one")
                .doesNotContain("configmap/secret", "configmap/sub");
        for (var path : List.of("../..", "/etc", "a/../../x", "nowhere")) {
            argocd.run(
                    "patch", "app", name, "--type=merge", "-p", "{\"spec\":{\"source\":{\"path\":\"" + path + "\"}}}");
            await("{.status.sync.status}/{.status.sync.comparedTo.source.path}", "Unknown/" + path);
            assertThat(conditions()).contains("Error");
        }
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("configmap/one");
        argocd.run(
                "patch",
                "app",
                name,
                "--type=merge",
                "-p",
                "{\"spec\":{\"source\":{\"path\":\"a\",\"repoURL\":\"http://me:geheim@127.0.0.1:1/x.git\"}}}");
        await("{.status.sync.status}/{.status.sync.comparedTo.source.path}", "Unknown/a");
        assertThat(conditions()).contains("cannot reach 127.0.0.1").doesNotContain("geheim");
    }

    @Test
    void aForcedPushIsFollowedAndADeletionEndsASyncWhoseHookNeverEnds() {
        repository.with("a/one.yaml", configMap("one", "")).commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        repository.with("a/two.yaml", configMap("two", "")).with("a/one.yaml", configMap("one", "team: blue"));
        git("add", "--all");
        git("commit", "--quiet", "--amend", "--message=rewritten");
        kubectl.await("configmaps/two", "{.data.key}", "1");
        awaitHealthy();
        repository
                .with("a/hook.yaml", job("endless", hook("PreSync"), "sleep 1000"))
                .with("a/three.yaml", configMap("three", ""))
                .commit();
        await("{.status.operationState.message}", "waiting for completion of hook batch/Job/endless");
        argocd.run("delete", "app", name, "--timeout=120s");
        assertThat(kubectl.run("get", "configmaps,jobs", "-o", "name"))
                .doesNotContain("configmap/one", "configmap/two", "configmap/three", "job.batch/endless");
    }

    @Test
    void aHookThatDeletesItselfFailsTheSync() {
        repository
                .with("a/one.yaml", configMap("one", hook("PreSync")))
                .with("a/hook.yaml", job("gone", hook("PreSync"), "sleep 1000"))
                .with("a/two.yaml", configMap("two", ""))
                .commit();
        apply("a", AUTOMATED);
        await("{.status.operationState.message}", "waiting for completion of hook batch/Job/gone");
        kubectl.run("patch", "job", "gone", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}");
        kubectl.run("delete", "job", "gone", "--wait=false");
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.message}")).contains("is missing, it might have been deleted");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/two");
    }

    private void awaitPatiently(String field, String value) {
        argocd.run("wait", "--for=jsonpath={" + field + "}=" + value, "application/" + name, "--timeout=300s");
    }

    /// The status of so many is large, and each step takes its time; nothing else is different.
    @Test
    @Tag("deep")
    void tenThousandObjectsAreSyncedChangedAndDeleted() {
        for (int file = 0; file < 20; file++) {
            var maps = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                maps.append("---\n").append(configMap("map-" + file + "-" + i, ""));
            }
            repository.with("a/" + file + ".yaml", maps.toString());
        }
        repository.commit();
        apply("a", AUTOMATED);
        awaitPatiently(".status.operationState.phase", "Succeeded");
        awaitPatiently(".status.sync.status", "Synced");
        assertThat(kubectl.run("get", "configmaps", "-o", "name").lines().filter(each -> each.contains("map-")))
                .hasSize(10_000);
        var second = repository
                .without("a/19.yaml")
                .with("a/20.yaml", configMap("one-more", ""))
                .commit();
        awaitPatiently(".status.operationState.syncResult.revision", second);
        awaitPatiently(".status.sync.status", "Synced");
        assertThat(kubectl.run("get", "configmaps", "-o", "name").lines())
                .contains("configmap/one-more")
                .filteredOn(each -> each.contains("map-"))
                .hasSize(9_500);
        argocd.run("delete", "app", name, "--timeout=300s");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("map-", "one-more");
    }
}

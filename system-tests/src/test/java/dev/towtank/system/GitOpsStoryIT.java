package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The platform of examples/gitops: healthy as it is, and each of its mistakes ends in a message that names it.
class GitOpsStoryIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static final Path EXAMPLE = Checkout.ROOT.resolve("examples/gitops");

    @TempDir
    static Path directory;

    private static GitRepository repository;

    private final Kubectl argocd = SERVER.kubectl().in("argocd");

    @BeforeAll
    static void makeRepository() throws IOException {
        repository = new GitRepository(Files.createDirectories(directory.resolve("platform.git")));
        repository.initialise();
        try (var files = Files.walk(EXAMPLE.resolve("platform"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                repository.with(EXAMPLE.relativize(file).toString(), Files.readString(file));
            }
        }
        repository.commit();
        var kubectl = SERVER.kubectl();
        kubectl.in("gitea").run("apply", "-f", EXAMPLE.resolve("prepare.yaml").toString());
        kubectl.in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(directory), "apply", "-f", "-");
    }

    private void apply(String name, String mistake) {
        argocd.withInput(application(name, mistake), "apply", "-f", "-");
    }

    private String explanation(String name) {
        return Program.towtank("app", "explain", name, "--data", SERVER.data().toString())
                .out();
    }

    @Test
    void thePlatformBecomesHealthyAndStaysSo() {
        apply("platform", "");
        // Step by step: all of it may take longer than one is waited for.
        argocd.in("platform").await("pipelineruns", "--show-labels=false", "{.status.conditions[0].status}", "True");
        argocd.await(
                "applications/platform",
                "{.status.sync.status}/{.status.health.status}/{.status.operationState.phase}",
                "Synced/Healthy/Succeeded");
        assertThat(explanation("platform")).contains("platform: Synced, Healthy", "Synced to");
        var waves = argocd.run("get", "application", "platform", "-o", "jsonpath={.status.resources[*].syncWave}");
        assertThat(waves).contains("-7", "-6", "-5", "-4", "1", "2", "3", "4");
        var runs = argocd.in("platform")
                .run("get", "pipelineruns", "-o", "name")
                .lines()
                .toList();
        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst()).matches(".*/build-image-[0-9a-f]{7}-sync-[0-9]+");
    }

    private static final Map<String, String> FORETOLD = Map.of(
            "claim", "PersistentVolumeClaim model-storage will stay Pending",
            "pipeline", "the script of step build of task build always ends with \"exit 1\"",
            "image", "the pods of Deployment coordination-engine will not start",
            "rights", "serviceaccount plan-rights/default cannot get imagestreamtags.image.openshift.io",
            "credentials", "Secret gitea/gitea-credentials-source, out of which it reads passwort, has only password,",
            "packages", "needs-too-much.ipynb imports package_that_no_image_has",
            "model", "InferenceService anomaly-detector will wait for its model");

    private Program.Outcome plan(String text) throws IOException {
        var file = Files.writeString(Files.createTempFile(directory, "plan", ".yaml"), text);
        return Program.towtank(
                "app",
                "plan",
                file.toString(),
                EXAMPLE.resolve("prepare.yaml").toString(),
                "--repository",
                repository.directory().toString(),
                "--data",
                directory.resolve("nowhere").toString());
    }

    private String application(String name, String mistake) {
        return Checkout.read(EXAMPLE.resolve("application.yaml"))
                .replace("REPOSITORY", repository.url())
                .replace("NAME", name)
                .replace("MISTAKE", mistake);
    }

    /// Without a server, before anything is touched.
    @Test
    void eachMistakeIsForetold() throws IOException {
        var good = plan(application("plan-good", ""));
        assertThat(good.exit()).as(good.out() + good.err()).isZero();
        assertThat(good.out()).doesNotContain("It would", "It needs");
        var url = plan(application("plan-url", "git-url"));
        assertThat(url.exit()).isEqualTo(1);
        assertThat(url.err()).contains("templates/3-build.yaml", "nil pointer evaluating interface {}.repoURL");
        var all = FORETOLD.keySet().stream()
                .map(mistake -> application("plan-" + mistake, mistake))
                .collect(Collectors.joining("\n---\n"));
        var bad = plan(all);
        assertThat(bad.exit()).isEqualTo(1);
        var pages = bad.out().split("(?m)^(?=plan-)", -1);
        assertThat(pages).hasSameSizeAs(FORETOLD.keySet());
        for (var page : pages) {
            var mistake = page.replaceFirst("(?s)plan-([a-z]+): .*", "$1");
            assertThat(page).contains(FORETOLD.getOrDefault(mistake, "a page for each mistake"));
            FORETOLD.forEach((other, words) -> {
                if (!other.equals(mistake)) {
                    assertThat(page).doesNotContain(words);
                }
            });
        }
    }

    /// They end in a failed sync that says why.
    @Test
    void mistakesThatFailAreNamed() {
        var endings = new LinkedHashMap<String, String>(Map.of(
                "pipeline", "requirements.txt: no version of scikit-lern",
                "rights", "cannot get resource \"imagestreamtags\"",
                "credentials", "property passwort does not exist in data of secret \"gitea-credentials-source\"",
                "packages", "The notebook imports package_that_no_image_has"));
        endings.keySet().forEach(mistake -> apply("fails-" + mistake, mistake));
        endings.forEach((mistake, words) -> {
            argocd.await("applications/fails-" + mistake, "{.status.operationState.phase}", "Failed");
            assertThat(argocd.run(
                            "get",
                            "application",
                            "fails-" + mistake,
                            "-o",
                            "jsonpath={.status.operationState.message}"))
                    .contains(words);
        });
        assertThat(explanation("fails-rights"))
                .contains("give the ServiceAccount fails-rights/default a Role with"
                        + " {apiGroups: [\"image.openshift.io\"], resources: [imagestreamtags], verbs: [get]}");
    }

    /// They would hang; what blocks is told, and what would help.
    @Test
    void mistakesThatHangAreExplained() {
        var blockers = Map.of(
                "claim", "waiting for healthy state of /PersistentVolumeClaim/model-storage",
                "image", "waiting for healthy state of apps/Deployment/coordination-engine",
                "model", "waiting for healthy state of serving.kserve.io/InferenceService/anomaly-detector");
        blockers.keySet().forEach(mistake -> apply("hangs-" + mistake, mistake));
        blockers.forEach((mistake, words) ->
                argocd.await("applications/hangs-" + mistake, "{.status.operationState.message}", words));
        assertThat(explanation("hangs-claim")).contains("use a StorageClass that is provisioned here");
        argocd.in("hangs-image").await("pods", "--selector=app=coordination-engine", PULL, "ImagePullBackOff");
        assertThat(explanation("hangs-image")).contains("registry.example.com/nobody/has/this:1");
        assertThat(explanation("hangs-model")).contains("SkipHealthCheck=true");
        assertThat(argocd.in("hangs-model").run("get", "jobs", "-o", "name")).doesNotContain("train");
        assertThat(Program.towtank(
                                "app",
                                "terminate",
                                "hangs-claim",
                                "--data",
                                SERVER.data().toString())
                        .exit())
                .isZero();
        argocd.await("applications/hangs-claim", "{.status.operationState.message}", "Operation terminated");
    }

    private static final String PULL = "{.status.containerStatuses[0].state.waiting.reason}";

    @Test
    void aChainOfFallbacksOverAMissingMapAppliesNothing() {
        apply("broken-chain", "git-url");
        argocd.await("applications/broken-chain", "{.status.conditions[0].type}", "ComparisonError");
        assertThat(explanation("broken-chain"))
                .contains(
                        "templates/3-build.yaml", "nil pointer evaluating interface {}.repoURL", "Nothing is applied");
        assertThat(argocd.attempt("get", "namespace", "broken-chain").exit()).isNotZero();
    }
}

package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// OpenShift's builds, with real kubectl and repositories behind a password.
class BuildsIT extends ApplicationCase {

    private static final String REGISTRY = "image-registry.openshift-image-registry.svc:5000/";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    static String stream(String name) {
        return "apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: " + name + "}\n";
    }

    static String buildConfig(String name, String annotations, String url, String more) {
        return """
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata: {name: %s, annotations: {%s}}
                spec:
                  source: {type: Git, git: {uri: "%s", ref: main}%s}
                  strategy: {type: Docker, dockerStrategy: {}}
                  output: {to: {kind: ImageStreamTag, name: "%s:latest"}}
                  triggers: [{type: ConfigChange}]
                """.formatted(name, annotations, url, more, name);
    }

    /// Word for word what `oc start-build app` sends.
    private static final String REQUEST =
            "{\"kind\":\"BuildRequest\",\"apiVersion\":\"build.openshift.io/v1\",\"metadata\":{\"name\":\"app\",\"creationTimestamp\":null},"
                    + "\"triggeredBy\":[{\"message\":\"Manually triggered\"}],"
                    + "\"dockerStrategyOptions\":{},\"sourceStrategyOptions\":{}}\n";

    private GitServer serve() throws IOException {
        return GitServer.start(repository.directory().getParent(), "ann", "right");
    }

    private String url(GitServer git) {
        return git.address(repository.directory().getFileName() + "/.git");
    }

    private void login(String password) {
        kubectl.withInput("""
                apiVersion: v1
                kind: Secret
                metadata: {name: git-login}
                stringData: {username: ann, password: %s}
                """.formatted(password), "apply", "-f", "-");
    }

    private void awaitBuild(String name, String phase) {
        kubectl.await("builds/" + name, "{.status.phase}", phase);
    }

    @Test
    void anImageIsBuiltAndRunAndBuiltAgainWhenAsked() throws IOException {
        repository
                .with(
                        "Dockerfile",
                        "FROM alpine:3.20\nENV WORD=built\nCOPY a.txt /\nCMD [\"sh\", \"-c\", \"echo $WORD\"]\n")
                .with("a.txt", "a")
                .commit();
        try (var git = serve()) {
            login("right");
            kubectl.withInput(
                    stream("app") + "---\n" + buildConfig("app", "", url(git), ", sourceSecret: {name: git-login}"),
                    "apply",
                    "-f",
                    "-");
            awaitBuild("app-1", "Complete");
            kubectl.await("imagestreamtags/app:latest", "{.metadata.name}", "app:latest");
            assertThat(kubectl.run(
                            "get", "imagestreamtag", "app:latest", "-o", "jsonpath={.image.dockerImageReference}"))
                    .startsWith(REGISTRY + kubectl.namespace() + "/app@sha256:");
            assertThat(kubectl.run("get", "build", "app-1", "-o", "jsonpath={.status.message}"))
                    .isEqualTo("stands on alpine:3.20; no engine builds here");
            kubectl.run("run", "app", "--restart=Never", "--image=" + REGISTRY + kubectl.namespace() + "/app:latest");
            kubectl.await("pods/app", "{.status.phase}", "Succeeded");
            assertThat(kubectl.run("logs", "app")).isEqualTo("built\n");
            assertThat(kubectl.run("get", "pod", "app", "-o", "jsonpath={.status.containerStatuses[0].imageID}"))
                    .startsWith("stand-in://");
            var path = "/apis/build.openshift.io/v1/namespaces/" + kubectl.namespace() + "/";
            var again = kubectl.withInput(
                    REQUEST.replace(
                            "\"dockerStrategyOptions\"",
                            "\"env\":[{\"name\":\"WORD\",\"value\":\"again\"}],\"dockerStrategyOptions\""),
                    "create",
                    "--raw",
                    path + "buildconfigs/app/instantiate",
                    "-f",
                    "-");
            assertThat(again).contains("\"name\":\"app-2\"", "Manually triggered");
            awaitBuild("app-2", "Complete");
            kubectl.until(
                    List.of("Cloning", "Commit:", "FROM alpine:3.20", "Push successful"),
                    "get",
                    "--raw",
                    path + "builds/app-2/log");
            var clone = kubectl.withInput(
                    REQUEST.replace("\"app\"", "\"app-2\""), "create", "--raw", path + "builds/app-2/clone", "-f", "-");
            assertThat(clone).contains("\"name\":\"app-3\"", "{\"name\":\"WORD\",\"value\":\"again\"}");
            var incremental = kubectl.attempt(
                    REQUEST.replace("\"sourceStrategyOptions\":{}", "\"sourceStrategyOptions\":{\"incremental\":true}"),
                    Map.of(),
                    "create",
                    "--raw",
                    path + "buildconfigs/app/instantiate",
                    "-f",
                    "-");
            assertThat(incremental.err()).contains("sourceStrategyOptions.incremental of a BuildRequest is not served");
            // As `oc start-build --wait` asks until it is done.
            awaitBuild("app-3", "Complete");
            assertThat(kubectl.run("get", "--raw", path + "builds?fieldSelector=metadata.name%3Dapp-3"))
                    .contains("\"phase\":\"Complete\"");
            var binary = kubectl.attempt(
                    "{}", Map.of(), "create", "--raw", path + "buildconfigs/app/instantiatebinary", "-f", "-");
            assertThat(binary.err()).contains("--from-dir", "are not served");
            var nobody = kubectl.attempt(
                    "{}", Map.of(), "create", "--as=nobody", "--raw", path + "buildconfigs/app/instantiate", "-f", "-");
            assertThat(nobody.exit()).isNotZero();
        }
    }

    @Test
    void aWrongPasswordIsNamedAndARightOneTriedByItself() throws IOException {
        repository.with("Dockerfile", "FROM alpine:3.20\n").commit();
        try (var git = serve()) {
            login("wrong");
            kubectl.withInput(
                    stream("app") + "---\n" + buildConfig("app", "", url(git), ", sourceSecret: {name: git-login}"),
                    "apply",
                    "-f",
                    "-");
            awaitBuild("app-1", "Failed");
            var why = kubectl.run("get", "build", "app-1", "-o", "jsonpath={.status.reason}: {.status.message}");
            assertThat(why)
                    .startsWith("FetchSourceFailed: Failed to fetch the input source")
                    .contains("the Secret " + kubectl.namespace() + "/git-login: check its key password")
                    .doesNotContain("wrong");
            assertThat(git.refusals()).isLessThan(5);
            login("right");
            awaitBuild("app-2", "Complete");
        }
    }

    @Test
    void mistakesInDockerfilesAndRequirementsEndABuildWithTheirLine() throws IOException {
        repository
                .with("one/Dockerfile", "FROM alpine:3.20\nCOPY absent.txt /\n")
                .with("two/Dockerfile", "FROM python:3\nCOPY requirements.txt /\nRUN pip install -r requirements.txt\n")
                .with("two/requirements.txt", "numpy=1\n")
                .with("three/Dockerfile", "FROM nobody.invalid/has/this:1\n")
                .with("four/requirements.txt", "numpy\npackage-that-nobody-has\n")
                .commit();
        var words = Map.of(
                "one", "DockerBuildFailed Docker build strategy has failed: Dockerfile:2: \"absent.txt\": not found",
                "two", "DockerBuildFailed Docker build strategy has failed: requirements.txt:1: Invalid requirement",
                "three", "PullBuilderImageFailed Failed pulling builder image nobody.invalid/has/this:1");
        try (var git = serve()) {
            login("right");
            for (var each : words.keySet()) {
                var config = buildConfig(each, "", url(git), ", sourceSecret: {name: git-login}, contextDir: " + each);
                kubectl.withInput(stream(each) + "---\n" + config, "apply", "-f", "-");
            }
            kubectl.withInput("""
                    %s
                    ---
                    apiVersion: build.openshift.io/v1
                    kind: BuildConfig
                    metadata: {name: four}
                    spec:
                      source: {git: {uri: "%s"}, contextDir: four, sourceSecret: {name: git-login}}
                      strategy: {sourceStrategy: {from: {kind: DockerImage, name: "python:3"}}}
                      output: {to: {kind: ImageStreamTag, name: "four:latest"}}
                      triggers: [{type: ConfigChange}]
                    """.formatted(stream("four"), url(git)), "apply", "-f", "-");
            words.forEach((name, text) -> {
                awaitBuild(name + "-1", "Failed");
                assertThat(kubectl.run(
                                "get", "build", name + "-1", "-o", "jsonpath={.status.reason} {.status.message}"))
                        .startsWith(text);
            });
            awaitBuild("four-1", "Complete");
            assertThat(kubectl.run("get", "build", "four-1", "-o", "jsonpath={.status.message}"))
                    .contains("stands on python:3", "not on this machine: package-that-nobody-has");
        }
    }

    @Test
    void streamsFollowImagesAndSetOffBuilds() throws IOException {
        repository.with("Dockerfile", "FROM anything\n").commit();
        try (var git = serve()) {
            login("right");
            kubectl.withInput(stream("base"), "apply", "-f", "-");
            kubectl.withInput("""
                    %s
                    ---
                    apiVersion: build.openshift.io/v1
                    kind: BuildConfig
                    metadata: {name: app}
                    spec:
                      source: {git: {uri: "%s"}, sourceSecret: {name: git-login}}
                      strategy: {dockerStrategy: {from: {kind: ImageStreamTag, name: "base:1"}}}
                      output: {to: {kind: ImageStreamTag, name: "app:latest"}}
                      triggers: [{type: ConfigChange}, {type: ImageChange, imageChange: {}}]
                    """.formatted(stream("app"), url(git)), "apply", "-f", "-");
            kubectl.await("buildconfigs/app", "{.status.conditions[0].reason}", "InvalidImageReference");
            follow("debian:12");
            awaitBuild("app-1", "Complete");
            follow("ubuntu:24.04");
            awaitBuild("app-2", "Complete");
            assertThat(kubectl.run("get", "builds", "-o", "jsonpath={.items[*].status.message}"))
                    .contains("stands on debian:12", "stands on ubuntu:24.04");
        }
    }

    private void follow(String image) {
        kubectl.withInput(
                stream("base") + "spec: {tags: [{name: \"1\", from: {kind: DockerImage, name: \"" + image + "\"}}]}\n",
                "apply",
                "-f",
                "-");
    }

    @Test
    void whatIsNotServedIsRefusedByName() {
        var config = buildConfig("app", "", "https://git.example.com/x", "");
        assertThat(refused(config.replace("uri: \"https://git.example.com/x\", ", "")))
                .contains("spec.source.git.uri: Required value");
        assertThat(refused(config + "  postCommit: {script: make test}\n")).contains("spec.postCommit is not served");
        assertThat(refused(
                        config.replace("dockerStrategy: {}", "customStrategy: {from: {kind: DockerImage, name: x}}")))
                .contains("spec.strategy.customStrategy is not served");
        assertThat(refused(config.replace("kind: ImageStreamTag", "kind: DockerImage")))
                .contains("nothing is pushed to other registries");
        assertThat(refused(stream("a") + "spec: {lookupPolicy: {local: true}}\n"))
                .contains("spec.lookupPolicy.local is not served");
        var told = kubectl.attempt(
                config.replace("{type: ConfigChange}", "{type: GitHub, github: {secret: x}}"),
                Map.of(),
                "apply",
                "-f",
                "-");
        assertThat(told.err()).contains("nobody can call the webhook of GitHub here");
        assertThat(kubectl.run("get", "bc", "app", "-o", "jsonpath={.metadata.name}"))
                .isEqualTo("app");
        kubectl.await("buildconfigs/app", "{.status.conditions[0].reason}", "NotStarted");
    }

    private String refused(String yaml) {
        var outcome = kubectl.attempt(yaml, Map.of(), "apply", "-f", "-");
        assertThat(outcome.exit()).isNotZero();
        return outcome.err();
    }

    @Test
    void a4AnApplicationWaitsForItsImageAndFailsWithItsBuild() throws IOException {
        var image = REGISTRY + kubectl.namespace() + "/app:latest";
        repository
                .with("src/Dockerfile", "FROM alpine:3.20\nCMD [\"sh\", \"-c\", \"echo ran\"]\n")
                .with("a/user.yaml", """
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: user}
                        spec:
                          backoffLimit: 0
                          template: {spec: {restartPolicy: Never, containers: [{name: main, image: "%s"}]}}
                        """.formatted(image))
                .with("a/late.yaml", configMap("late", wave(1)));
        try (var git = serve()) {
            login("right");
            var more = ", contextDir: src, sourceSecret: {name: git-login}";
            repository
                    .with("a/build.yaml", stream("app") + "---\n" + buildConfig("app", "", url(git), more))
                    .commit();
            apply("a", AUTOMATED);
            awaitHealthy();
            assertThat(kubectl.run("logs", "job/user")).isEqualTo("ran\n");
            assertThat(kubectl.run("get", "events", "-o", "jsonpath={.items[*].reason}"))
                    .doesNotContain("Failed", "BackOff");
            var broken = more.replace("src", "broken");
            repository
                    .with("broken/Dockerfile", "FROM alpine:3.20\nCOPY gone /\n")
                    .with("a/build.yaml", stream("app") + "---\n" + buildConfig("app", "", url(git), broken))
                    .with("a/late.yaml", configMap("later", wave(1)))
                    .commit();
            await("{.status.operationState.phase}", "Failed");
            argocd.until(
                    List.of("build app-2 failed", "Dockerfile:2: \"gone\": not found in the context"),
                    "get",
                    "application",
                    name,
                    "-o",
                    "jsonpath={.status.operationState.message}");
            assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/later");
        }
    }
}

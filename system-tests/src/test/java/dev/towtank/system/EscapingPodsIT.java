package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods of all kinds whose paths, and whose volumes' links, are to lead to a directory of the machine. Nothing may be
/// made in there, and nothing of it be read; with a server of whoever runs the tests, and, when that is root, with
/// one
/// of an ordinary user.
@ParameterizedClass
@MethodSource("users")
class EscapingPodsIT {

    private static final String SECRET = "the-canary-sings";

    /// A claim in which links wait for whoever follows them; both as the machine sees it, and as somebody does who
    /// prepares a root beside the machine's.
    private static final String LINKS = """
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: shared}
            spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Mi}}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {key: value}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: links}
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: debian
                command: [sh, -c, "ln -s /oldrootCANARY /v/out && ln -s CANARY /v/plain && ln -s /oldrootCANARY/made /v/file"]
                volumeMounts: [{name: v, mountPath: /v}]
              volumes: [{name: v, persistentVolumeClaim: {claimName: shared}}]
            """;

    private static final String INTO_LINK = "leads through a link in another volume";
    private static final String LOOK = "cat /a/*/canary /*/canary 2>/dev/null; exit 0";

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @TempDir
    static Path directory;

    private static Path canary;
    private static RunningTowtank server;
    private static Kubectl kubectl;

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) throws IOException {
        canary = Files.createDirectory(directory.resolve("of-" + user));
        Files.writeString(canary.resolve("canary"), SECRET);
        for (var each : List.of(directory, canary)) { // whoever gets there can do what it likes
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        server = user.equals(System.getProperty("user.name")) ? RunningTowtank.start() : RunningTowtank.startAs(user);
        var image = Files.createDirectory(directory.resolve("image-of-" + user));
        Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("rwxr-xr-x"));
        MachineImage.bring(server, image, canary);
        kubectl = Kubectl.newest(server.kubeconfig(), "escapes");
        kubectl.run("create", "namespace", "escapes");
        kubectl.withInput(LINKS.replace("CANARY", canary.toString()), "apply", "-f", "-");
        kubectl.await("pod/links", "{.status.phase}", "Succeeded");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @AfterEach
    void theCanaryIsUntouched() throws IOException {
        try (var files = Files.list(canary)) {
            assertThat(files).containsExactly(canary.resolve("canary"));
        }
        assertThat(canary.resolve("canary")).hasContent(SECRET);
    }

    /// A pod's specification with the claim at `/a`.
    private static String spec(String container, String mounts, String volumes) {
        return """
                {restartPolicy: %%s, terminationGracePeriodSeconds: 0,
                containers: [{name: main, image: debian, command: [sh, -c, "%s"], %s
                  volumeMounts: [{name: v, mountPath: /a}, %s]}],
                volumes: [{name: v, persistentVolumeClaim: {claimName: shared}}, {name: e, emptyDir: {}}, %s]}
                """.formatted(LOOK, container, mounts, volumes).replace('\n', ' ');
    }

    private static String pod(String name, String spec) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: %s}\n"
                .formatted(name, spec.formatted("Never"));
    }

    private static String refusal(String selector) {
        kubectl.await(
                "pods",
                "--selector=" + selector,
                "{.status.containerStatuses[0].state.waiting.reason}",
                "RunContainerError");
        return JsonText.parseObject(kubectl.run("get", "pods", "--selector=" + selector, "-o", "json"))
                .objects("items")
                .getFirst()
                .objects("status", "containerStatuses")
                .getFirst()
                .string("state", "waiting", "message");
    }

    @Test
    void aDeploymentMountsNothingBehindALink() {
        kubectl.withInput(
                """
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: escaping}
                spec:
                  selector: {matchLabels: {app: escaping}}
                  template:
                    metadata: {labels: {app: escaping}}
                    spec: %s
                """.formatted(spec("", "{name: e, mountPath: /a/out/made}", "").formatted("Always")),
                "apply",
                "-f",
                "-");

        assertThat(refusal("app=escaping")).contains(INTO_LINK);
        kubectl.run("delete", "deployment", "escaping");
    }

    @Test
    void aJobLeavesNoMessageBehindALink() {
        kubectl.withInput(
                """
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: escaping}
                spec: {template: {metadata: {labels: {app: job}}, spec: %s}}
                """.formatted(spec("terminationMessagePath: /a/file,", "", "").formatted("Never")), "apply", "-f", "-");

        assertThat(refusal("app=job")).contains(INTO_LINK);
        kubectl.run("delete", "job", "escaping");
    }

    @Test
    void projectedFilesAreNotPutBehindALink() {
        var volume = "{name: p, projected: {sources: [{configMap: {name: settings}}]}}";
        kubectl.withInput(pod("projected", spec("", "{name: p, mountPath: /a/out/made}", volume)), "apply", "-f", "-");
        kubectl.run("label", "pod", "projected", "app=projected");

        assertThat(refusal("app=projected")).contains(INTO_LINK);
    }

    @Test
    void aPartOfAVolumeIsNoLink() {
        kubectl.withInput(pod("part", spec("", "{name: v, subPath: plain, mountPath: /b}", "")), "apply", "-f", "-");

        kubectl.await("pod/part", "{.status.containerStatuses[0].state.waiting.reason}", "CreateContainerConfigError");
    }

    @Test
    void commandsProbesAndDirectoriesSeeOnlyWhatIsInside() {
        var probe = "exec: {command: [cat, /a/plain/canary]}";
        var running = spec("readinessProbe: {periodSeconds: 1, %s},".formatted(probe), "", "")
                .replace("exit 0", "exec sleep 1000");
        var hooked =
                spec("lifecycle: {postStart: {%s}},".formatted(probe), "", "").replace("exit 0", "sleep 1000");
        kubectl.withInput(
                pod("directory", spec("workingDir: /a/out/made,", "", ""))
                        + pod("running", running)
                        + pod("hooked", hooked),
                "apply",
                "-f",
                "-");

        kubectl.await("pod/directory", "{.status.containerStatuses[0].state.terminated.reason}", "StartError");
        kubectl.await("pod/hooked", "{.status.phase}", "Failed"); // by its hook, which found nothing
        kubectl.await("pod/running", "{.status.phase}", "Running");
        assertThat(kubectl.run("exec", "running", "--", "sh", "-c", LOOK)).isEmpty();
        assertThat(kubectl.run("logs", "running")).isEmpty();
        kubectl.run("wait", "pod/running", "--for=condition=Ready=false", "--timeout=120s");
        assertThat(kubectl.awaitEvents("Pod/running Unhealthy: ", "/a/plain/canary"))
                .doesNotContain(SECRET);
        kubectl.run("delete", "pod", "running");
    }

    /// On a real image in a network of its own; and by what the image itself brings.
    @Test
    void aRealImageLeadsNoFurther() {
        kubectl.withInput(
                real("image-volume", "", "{name: e, mountPath: /a/out/made}")
                        + real("image-message", "terminationMessagePath: /a/file,", "")
                        + real("image-part", "", "{name: v, subPath: plain, mountPath: /b}")
                        + real("image-links", "workingDir: /out/made,", """
                                {name: e, mountPath: /plain/made}, {name: e, mountPath: /up/made}, {name: e, mountPath: /through/made},
                                {name: e, mountPath: /out/here}
                                """)
                        + real("image-file", "terminationMessagePath: /file,", ""),
                "apply",
                "-f",
                "-");

        assertThat(refusal("app=image-volume")).contains(INTO_LINK);
        assertThat(refusal("app=image-message")).contains(INTO_LINK);
        kubectl.await(
                "pod/image-part", "{.status.containerStatuses[0].state.waiting.reason}", "CreateContainerConfigError");
        for (var pod : List.of("image-links", "image-file")) {
            kubectl.run("wait", "pod/" + pod, "--for=jsonpath={.status.containerStatuses[0].state}", "--timeout=120s");
            assertThat(kubectl.run("get", "pod", pod, "-o", "json")).doesNotContain(SECRET);
            kubectl.run("delete", "pod", pod);
        }
    }

    private static String real(String name, String container, String mounts) {
        return pod(name, spec(container, mounts, ""))
                .replace("image: debian", "image: " + MachineImage.NAME)
                .replace(
                        "metadata: {name: " + name + "}",
                        "metadata: {name: %1$s, labels: {app: %1$s}, annotations: {towtank.dev/network: own}}"
                                .formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"workingDir", "terminationMessagePath", "mountPath", "subPath"})
    void noPathBecomesAnArgument(String field) {
        for (var path : List.of("x\0--bind\0/\0/hostroot", "x/../../oldroot" + canary)) {
            var place = field.equals("subPath") ? path : "/" + path;
            var mount = Json.Obj.builder().put("name", "e").put("mountPath", "/e");
            var container = Json.Obj.builder().put("name", "main").put("image", "debian");
            if (field.endsWith("Path") && !field.startsWith("term")) {
                mount.put(field, place);
            } else {
                container.put(field, place);
            }
            var spec = Json.Obj.of(
                    "containers",
                    Json.Arr.of(container
                            .put("volumeMounts", Json.Arr.of(mount.build()))
                            .build()),
                    "volumes",
                    Json.Arr.of(Json.Obj.of("name", Json.of("e"), "emptyDir", Json.Obj.EMPTY)));
            var pod = Json.Obj.builder()
                    .put("apiVersion", "v1")
                    .put("kind", "Pod")
                    .put("metadata", Json.Obj.of("name", Json.of("arguments")))
                    .put("spec", spec)
                    .build();

            assertThat(kubectl.attempt(JsonText.write(pod), Map.of(), "create", "-f", "-")
                            .err())
                    .contains(field)
                    .contains("must not contain");
        }
    }

    @Test
    void aTaskGetsNoFurther() {
        var link = "[{name: v, mountPath: /a}, {name: e, mountPath: /a/out/made}]";
        var claim = "persistentVolumeClaim: {claimName: shared}";
        kubectl.withInput("""
                ---
                {apiVersion: tekton.dev/v1beta1, kind: StepAction, metadata: {name: looks}, spec: {
                  params: [{name: outer}, {name: inner}], image: debian, script: "%4$s",
                  volumeMounts: [{name: $(params.outer), mountPath: /a}, {name: $(params.inner), mountPath: /a/out/made}]}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: argument}, spec: {
                  params: [{name: where, value: "/tmp\\0--bind\\0/\\0/hostroot"}],
                  taskSpec: {params: [{name: where}], steps: [
                    {name: main, image: debian, workingDir: $(params.where), script: "cat /hostroot%1$s/canary"}]}}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: backstep}, spec: {
                  workspaces: [{name: w, emptyDir: {}}],
                  taskSpec: {workspaces: [{name: w, mountPath: "/tmp/../../oldroot%1$s/made"}],
                    steps: [{name: main, image: debian, script: "true"}]}}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: workspace}, spec: {
                  workspaces: [{name: v, %2$s}, {name: e, emptyDir: {}}],
                  taskSpec: {workspaces: %3$s, steps: [{name: main, image: debian, script: "%4$s"}]}}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: volume}, spec: {
                  taskSpec: {volumes: [{name: v, %2$s}, {name: e, emptyDir: {}}],
                    steps: [{name: main, image: debian, script: "%4$s", volumeMounts: %3$s}]}}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: action}, spec: {
                  taskSpec: {volumes: [{name: v, %2$s}, {name: e, emptyDir: {}}],
                    steps: [{name: main, ref: {name: looks}, params: [{name: outer, value: v}, {name: inner, value: e}]}]}}}
                """.formatted(canary, claim, link, LOOK), "apply", "-f", "-");

        for (var name : List.of("argument", "backstep")) {
            kubectl.await("taskrun/" + name, "{.status.conditions[0].status}", "False");
            assertThat(kubectl.run("get", "taskrun", name, "-o", "jsonpath={.status.conditions[0].message}"))
                    .contains("must not contain");
        }
        for (var name : List.of("workspace", "volume", "action")) { // they would have succeeded
            kubectl.await("taskrun/" + name, "{.status.conditions[0].status}", "False");
            assertThat(kubectl.run("logs", name + "-pod", "--container=step-main"))
                    .contains(INTO_LINK);
        }
    }
}

package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Pods as real processes of the shipped program, seen through the newest kubectl at hand.
class PodsIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private Kubectl kubectl;

    @BeforeEach
    void namespace() {
        kubectl = SERVER.inNewNamespace();
    }

    private void apply(String yaml) {
        // Without the first line kubectl takes what begins with a brace for JSON.
        kubectl.withInput("---\n" + yaml, "apply", "-f", "-");
    }

    private void await(String pod, String phase) {
        kubectl.await("pod/" + pod, "{.status.phase}", phase);
    }

    private Json.Obj pod(String name) {
        return JsonText.parseObject(kubectl.run("get", "pod", name, "-o", "json"));
    }

    private static Json.Obj container(Json.Obj pod) {
        return pod.objects("status", "containerStatuses").getFirst();
    }

    @Test
    void showsTheNodeAsReady() {
        assertThat(kubectl.run("get", "nodes")).containsPattern("Ready +control-plane");
        var node = JsonText.parseObject(kubectl.run("get", "nodes", "-o", "json"))
                .objects("items")
                .getFirst();
        assertThat(node.object("status", "capacity").keys()).contains("cpu", "memory", "pods", "ephemeral-storage");
        assertThat(kubectl.in("kube-node-lease").run("get", "leases", "-o", "name"))
                .contains("lease.coordination");
    }

    /// What pip does in an image of Python, for any user of it: Debian's refuses unless it is told, and the machine's
    /// own place for packages cannot be written.
    @Test
    void pythonTakesPackagesAndTheirProgramsForTheContainerAlone() {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: packages}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: python:3.12
                    securityContext: {runAsUser: 1234}
                    command: [sh, -ec]
                    args:
                    - |
                      site=$(python -m site --user-site)
                      mkdir -p "$site" "$(python -m site --user-base)/bin"
                      echo 'print("a module")' > "$site/installed.py"
                      printf '#!/bin/sh\\necho a program\\n' > "$(python -m site --user-base)/bin/installed"
                      chmod +x "$(python -m site --user-base)/bin/installed"
                      python -m installed
                      installed
                      echo "allowed: $PIP_BREAK_SYSTEM_PACKAGES"
                """);

        await("packages", "Succeeded");

        assertThat(kubectl.run("logs", "packages")).isEqualTo("a module\na program\nallowed: 1\n");
    }

    @Test
    void runsACommandToItsEnd() {
        kubectl.run("run", "hello", "--image=busybox", "--restart=Never", "--", "sh", "-c", "echo hello; exit 3");
        await("hello", "Failed");
        assertThat(kubectl.run("logs", "hello")).isEqualTo("hello\n");
        var state = container(pod("hello")).object("state", "terminated");
        assertThat(state.integer("exitCode")).isEqualTo(3);
        assertThat(state.string("reason")).isEqualTo("Error");
        assertThat(kubectl.run("get", "pod", "hello")).containsPattern("hello +0/1 +Error +0");
    }

    @Test
    void tellsTheStoryOfAPod() {
        kubectl.run("run", "story", "--image=busybox", "--restart=Never", "--", "true");
        await("story", "Succeeded");
        // Events are written beside the work, and by more than one.
        kubectl.until(
                List.of(
                        "Successfully assigned " + kubectl.namespace() + "/story to",
                        "Container image \"busybox\" already present on machine",
                        "Container created",
                        "Container started"),
                "describe",
                "pod",
                "story");
    }

    @Test
    void runsInitContainersWithVolumesOfEveryKind() {
        apply("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {color: red}}
                ---
                {apiVersion: v1, kind: Secret, metadata: {name: login}, stringData: {password: hunter2hunter2}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: full, labels: {app: web}}
                spec:
                  restartPolicy: Never
                  initContainers:
                  - name: first
                    image: busybox
                    command: [sh, -c, "echo from-init > /work/file"]
                    volumeMounts: [{name: work, mountPath: /work}]
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c]
                    args:
                    - |
                      cat /work/file /config/color; echo; wc -c < /secret/password
                      cat /pod/labels; echo; echo "$(WHO) $PASSWORD"
                      test -s /var/run/secrets/kubernetes.io/serviceaccount/token && echo token
                      echo reason > /dev/termination-log
                    env:
                    - {name: WHO, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                    - {name: PASSWORD, valueFrom: {secretKeyRef: {name: login, key: password}}}
                    volumeMounts:
                    - {name: work, mountPath: /work}
                    - {name: config, mountPath: /config}
                    - {name: secret, mountPath: /secret}
                    - {name: pod, mountPath: /pod}
                  volumes:
                  - {name: work, emptyDir: {}}
                  - {name: config, configMap: {name: settings}}
                  - {name: secret, secret: {secretName: login}}
                  - {name: pod, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}
                """);
        await("full", "Succeeded");
        assertThat(kubectl.run("logs", "full", "-c", "main"))
                .isEqualTo("from-init\nred\n14\napp=\"web\"\nfull ***\ntoken\n");
        assertThat(container(pod("full")).string("state", "terminated", "message"))
                .isEqualTo("reason\n");
    }

    @Test
    void masksSecretsInLogsUnlessThePodSaysNo() {
        var pods = "{apiVersion: v1, kind: Secret, metadata: {name: login}, stringData: {password: hunter2hunter2}}\n";
        for (var mask : List.of("true", "false")) {
            pods += """
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: mask-%s, annotations: {towtank.dev/mask-logs: "%s"}}
                    spec:
                      restartPolicy: Never
                      containers:
                      - name: main
                        image: busybox
                        command: [sh, -c, "echo $PASSWORD; echo $PASSWORD | base64; echo it is $PASSWORD > /dev/termination-log"]
                        env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: login, key: password}}}]
                    """.formatted(mask, mask);
        }
        apply(pods);
        await("mask-true", "Succeeded");
        await("mask-false", "Succeeded");

        assertThat(kubectl.run("logs", "mask-true")).startsWith("***\n").doesNotContain("hunter2", "aHVudGVyM");
        assertThat(kubectl.run("logs", "mask-false")).isEqualTo("hunter2hunter2\naHVudGVyMmh1bnRlcjIK\n");
        var message = "jsonpath={.status.containerStatuses[0].state.terminated.message}";
        assertThat(kubectl.run("get", "pod", "mask-true", "-o", message)).isEqualTo("it is ***\n");
        assertThat(kubectl.run("get", "pod", "mask-false", "-o", message)).isEqualTo("it is hunter2hunter2\n");
    }

    @Test
    void masksThePodsOwnToken() {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: own-token}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "cd /var/run/secrets/kubernetes.io/serviceaccount; cat token; echo; tee /dev/termination-log < token"]
                """);
        await("own-token", "Succeeded");

        assertThat(kubectl.run("logs", "own-token")).isEqualTo("***\n***");
        assertThat(kubectl.run(
                        "get",
                        "pod",
                        "own-token",
                        "-o",
                        "jsonpath={.status.containerStatuses[0].state.terminated.message}"))
                .isEqualTo("***");
    }

    @Test
    void updatesFilesOfARunningPod() {
        apply("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: live}, data: {color: red}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: reader}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "until grep -q blue /config/color; do sleep 0.1; done; echo saw blue"]
                    volumeMounts: [{name: config, mountPath: /config}]
                  volumes: [{name: config, configMap: {name: live}}]
                """);
        await("reader", "Running");
        kubectl.run("patch", "configmap", "live", "-p", "{\"data\":{\"color\":\"blue\"}}");
        await("reader", "Succeeded");
        assertThat(kubectl.run("logs", "reader")).isEqualTo("saw blue\n");
    }

    @Test
    void entersRunningContainersAndDeletesThemWithGrace() {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec:
                  terminationGracePeriodSeconds: 5
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "trap 'exit 0' TERM; touch /tmp/up; while true; do sleep 0.1; done"]
                    readinessProbe: {exec: {command: [test, -f, /tmp/up]}, periodSeconds: 1}
                """);
        kubectl.run("wait", "pod/web", "--for=condition=Ready", "--timeout=120s");
        // Old ones speak SPDY, new ones WebSocket.
        for (var binary : Kubectl.binaries()) {
            var other = Kubectl.of(binary, kubectl.kubeconfig(), kubectl.namespace());
            assertThat(other.withInput("inside\n", "exec", "-i", "web", "--", "cat"))
                    .isEqualTo("inside\n");
            assertThat(other.attempt("exec", "web", "--", "sh", "-c", "exit 7").exit())
                    .isEqualTo(7);
        }
        kubectl.run("delete", "pod", "web", "--timeout=120s");
        assertThat(kubectl.attempt("get", "pod", "web").err()).contains("not found");
    }

    @Test
    void callsTheHooksOfAContainer() throws IOException {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: hooked}
                spec:
                  terminationGracePeriodSeconds: 30
                  containers:
                  - name: main
                    image: busybox
                    command:
                    - sh
                    - -c
                    - |
                      trap '' TERM
                      until [ -e /tmp/begun ]; do sleep 0.05; done; echo begun
                      until [ -e /tmp/ending ]; do sleep 0.05; done; echo ending
                    lifecycle:
                      postStart: {exec: {command: [touch, /tmp/begun]}}
                      preStop: {exec: {command: [touch, /tmp/ending]}}
                """);
        await("hooked", "Running");
        var followed = kubectl.start("logs", "-f", "hooked");
        try (var lines = followed.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("begun");
            kubectl.run("delete", "pod", "hooked", "--timeout=120s");
            assertThat(lines.readLine()).isEqualTo("ending");
        } finally {
            followed.destroy();
        }
    }

    @Test
    void saysWhatIsWrong() {
        apply("""
                {apiVersion: v1, kind: Pod, metadata: {name: image}, spec: {containers: [{name: a, image: nowhere.example/x}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: command}, spec: {restartPolicy: Never, containers: [{name: a, image: busybox, command: [/no/such]}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: config}, spec: {containers: [{name: a, image: busybox, env: [{name: X, valueFrom: {secretKeyRef: {name: gone, key: k}}}]}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: crash}, spec: {containers: [{name: a, image: busybox, command: ["false"]}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: large}, spec: {containers: [{name: a, image: busybox, resources: {requests: {cpu: 1k}}}]}}
                """);
        var reason = "{.status.containerStatuses[0].state.waiting.reason}";
        SmallImage.awaitRefused(kubectl, "image");
        kubectl.await("pod/config", reason, "CreateContainerConfigError");
        kubectl.await("pod/crash", reason, "CrashLoopBackOff");
        await("command", "Failed");
        assertThat(container(pod("command")).string("state", "terminated", "message"))
                .contains("\"/no/such\"");
        assertThat(kubectl.attempt("logs", "config").err())
                .contains("container \"a\" in pod \"config\" is waiting to start: CreateContainerConfigError");
        assertThat(container(pod("config")).string("state", "waiting", "message"))
                .isEqualTo("secret \"gone\" not found");
        kubectl.run("wait", "pod/large", "--for=condition=PodScheduled=False", "--timeout=120s");
        assertThat(kubectl.run("get", "pod", "large", "-o", "jsonpath={.status.conditions[0].message}"))
                .startsWith("0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void keepsWhatAClaimHolds() {
        apply("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}
                """);
        for (var name : List.of("writer", "reader")) {
            apply("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s}
                    spec:
                      restartPolicy: Never
                      containers: [{name: a, image: busybox, command: [sh, -c, "echo %s >> /data/names; cat /data/names"], volumeMounts: [{name: d, mountPath: /data}]}]
                      volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]
                    """.formatted(name, name));
            await(name, "Succeeded");
        }
        assertThat(kubectl.run("logs", "reader")).isEqualTo("writer\nreader\n");
        kubectl.until(List.of("Bound", "local-path"), "get", "pvc", "data");
    }

    /// Where containers have several users, see the condition of the Node.
    @Test
    void containersMeanTheSameUsersAndGroups() {
        apply("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: own}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}
                """);
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: pair}
                spec:
                  restartPolicy: Never
                  securityContext: {fsGroup: 2000}
                  volumes:
                  - {name: kept, persistentVolumeClaim: {claimName: own}}
                  - {name: fresh, emptyDir: {}}
                  initContainers:
                  - name: gives
                    image: busybox
                    command: [sh, -ec, "mkdir -m 700 /kept/shut; chown 1001:1001 /kept/shut; touch /kept/roots; chmod 644 /kept/roots"]
                    volumeMounts: [{name: kept, mountPath: /kept}]
                  containers:
                  - name: takes
                    image: busybox
                    securityContext: {runAsUser: 1001, runAsGroup: 1001}
                    command: [sh, -c]
                    args:
                    - |
                      id -u; id -G; echo mine > /kept/shut/mine; cat /kept/shut/mine
                      echo x 2>/dev/null > /kept/roots || echo "not his"
                      touch /fresh/file; stat -c %u:%g /fresh/file /kept/shut/mine
                    volumeMounts: [{name: kept, mountPath: /kept}, {name: fresh, mountPath: /fresh}]
                """);
        var isolated = "{.items[0].status.conditions[?(@.type==\"Isolated\")].message}";
        boolean several = kubectl.run("get", "nodes", "-o", "jsonpath=" + isolated)
                .contains("Pods that write to directories of the machine, or build images, have one user only");

        await("pair", several ? "Succeeded" : "Failed");

        assertThat(kubectl.run("logs", "pair", "-c", several ? "takes" : "gives"))
                .isEqualTo(
                        several
                                ? "1001\n1001 2000\nmine\nnot his\n1001:2000\n1001:1001\n"
                                : "chown: changing ownership of '/kept/shut': Invalid argument\n");
        kubectl.run("delete", "pod/pair", "pvc/own", "--wait");
    }

    @Test
    void goesOnAfterTheServerWasKilled() {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: survivor}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "i=1; until [ -e /tmp/enough ]; do echo $i; i=`expr $i + 1`; sleep 0.2; done; exit 5"]
                """);
        await("survivor", "Running");
        SERVER.replace(RunningTowtank::killAndStart);
        // What runs is found again beside the start.
        Eventually.holds(() -> kubectl.run("exec", "survivor", "--", "touch", "/tmp/enough"));
        await("survivor", "Failed");
        var lines = kubectl.run("logs", "survivor").lines().toList();
        assertThat(lines)
                .isNotEmpty()
                .isEqualTo(IntStream.rangeClosed(1, lines.size())
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(container(pod("survivor")).integer("state", "terminated", "exitCode"))
                .isEqualTo(5);
        assertThat(container(pod("survivor")).integer("restartCount")).isZero();
    }

    @Test
    void tellsThatTheMachineWasRestarted() {
        var pods = "";
        for (var policy : List.of("Never", "Always")) {
            pods += """
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s}
                    spec: {restartPolicy: %s, containers: [{name: main, image: busybox, command: [sleep, "471147"]}]}
                    """.formatted(policy.toLowerCase(Locale.ROOT), policy);
        }
        apply(pods);
        await("never", "Running");
        await("always", "Running");
        SERVER.replace(server -> server.killAndStart(this::restartMachine));
        await("never", "Failed");
        var ended = container(pod("never")).object("state", "terminated");
        assertThat(ended.string("reason")).isEqualTo("ContainerStatusUnknown");
        assertThat(ended.string("message")).isEqualTo("the machine was restarted while the container was running");
        kubectl.await("pod/always", "{.status.containerStatuses[0].restartCount}", "1");
        kubectl.run("wait", "pod/always", "--for=condition=Ready", "--timeout=120s");
        assertThat(container(pod("always")).string("lastState", "terminated", "message"))
                .isEqualTo("the machine was restarted while the container was running");
        kubectl.run("delete", "pod", "always", "--grace-period=1");
    }

    /// As far as a test may: all processes and all files in memory are gone, and the kernel has another name for its
    /// run.
    private void restartMachine() {
        ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains("sleep 471147"))
                .forEach(ProcessHandle::destroyForcibly);
        // They may not be gone yet, nor what they write.
        Eventually.holds(() -> Directories.deleteAll(inMemory()));
        try {
            Files.writeString(SERVER.data().resolve("node/boot"), "earlier");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void leavesNothingBehindWhenPodsAreGone() throws IOException {
        kubectl.run("run", "short", "--image=busybox", "--restart=Never", "--", "echo", "word");
        await("short", "Succeeded");
        var uid = pod("short").string("metadata", "uid");
        var log = SERVER.data().resolve("node/pods").resolve(uid);
        assertThat(log).exists();
        awaitGone(inMemory().resolve("pods").resolve(uid)); // an ended pod needs no more than its log
        assertThat(kubectl.run("logs", "short")).isEqualTo("word\n");
        kubectl.run("delete", "pod", "short");
        awaitGone(log);
    }

    private static void awaitGone(Path directory) {
        Eventually.holds(() -> assertThat(directory).doesNotExist());
    }

    private static Path inMemory() throws IOException {
        return Path.of("/dev/shm").resolve(Files.readString(SERVER.data().resolve("node/memory")));
    }
}

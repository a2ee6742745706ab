package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Servers with options: one whose time is moved, and that goes down with all it has started, and one without a
/// sandbox.
class UpIT {

    private static final String WORKLOADS = """
            apiVersion: v1
            kind: Pod
            metadata: {name: deaf}
            spec:
              terminationGracePeriodSeconds: 1
              containers:
              - name: main
                image: busybox
                command: [sh, -c, "trap '' TERM; while :; do sleep 4717; done"]
                volumeMounts: [{name: v, mountPath: /v}]
              volumes: [{name: v, emptyDir: {}}]
            ---
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: weekly}
            spec:
              schedule: "0 2 * * 0"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: busybox, command: [echo, fired]}]
            """;

    @Test
    void aWeekPassesAndThenNothingIsLeft() throws IOException {
        try (var server = RunningTowtank.start("--virtual-time")) {
            var kubectl = Kubectl.newest(server.kubeconfig(), "default");
            kubectl.withInput(WORKLOADS, "apply", "-f", "-");
            kubectl.await("pod/deaf", "{.status.phase}", "Running");

            var token = tokenInPod(kubectl);
            var hourly =
                    kubectl.run("create", "token", "default", "--duration=1h").strip();
            assertThat(asked(kubectl, hourly)).contains("is forbidden");

            var advanced = towtank(server, "time", "advance", "7d");
            assertThat(advanced.exit()).as(advanced.err()).isZero();
            kubectl.run("wait", "cronjob/weekly", "--for=jsonpath={.status.lastSuccessfulTime}", "--timeout=120s");
            assertThat(kubectl.run("get", "jobs", "-o", "jsonpath={.items[*].status.succeeded}"))
                    .isEqualTo("1");
            assertThat(asked(kubectl, hourly)).contains("provide credentials");
            assertThat(asked(kubectl, newToken(kubectl, token))).contains("is forbidden");

            var groups = groupsOf("sleep 4717");
            assertThat(ShellProgram.workingIn(server.data())).anyMatch(line -> line.contains("sleep 4717"));
            assertThat(towtank(server, "down").out()).contains(" has stopped (pid " + server.pid() + ")");
            server.await(); // it has let go of its data, and is about to end

            assertThat(ShellProgram.leftIn(server.data())).isEmpty();
            assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
                    .doesNotContain(server.data().toString());
            assertThat(groups).allSatisfy(group -> assertThat(group).doesNotExist());
        }
    }

    @Test
    void withoutASandboxEverythingSaysSo() throws IOException {
        try (var server = RunningTowtank.start("--unsafe-host")) {
            assertThat(server.said()).contains("Pods run as plain processes of this machine, without any isolation.");
            var kubectl = Kubectl.newest(server.kubeconfig(), "default");
            var isolated = "{.conditions[?(@.type==\"Isolated\")].reason}";
            kubectl.await("nodes", "-l=!none", isolated.replace("{", "{.status"), "UnsafeHost");

            kubectl.run("run", "plain", "--image=busybox", "--restart=Never", "--", "echo", "hello");
            kubectl.await("pod/plain", "{.status.phase}", "Succeeded");

            assertThat(kubectl.run("logs", "plain")).isEqualTo("hello\n");
            assertThat(kubectl.run("get", "pod", "plain", "-o", "jsonpath=" + isolated.replace("{", "{.status")))
                    .isEqualTo("UnsafeHost");
        }
    }

    private static String tokenInPod(Kubectl kubectl) {
        return kubectl.run("exec", "deaf", "--", "cat", "/var/run/secrets/kubernetes.io/serviceaccount/token");
    }

    private static String newToken(Kubectl kubectl, String old) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end) {
            var now = tokenInPod(kubectl);
            if (!now.equals(old)) {
                return now;
            }
        }
        throw new AssertionError("the pod has still its first token");
    }

    /// What the server says to somebody with that token.
    private static String asked(Kubectl kubectl, String token) {
        var server = kubectl.run("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}");
        return kubectl.attempt(
                        "get",
                        "secrets",
                        "--kubeconfig=/dev/null",
                        "--server=" + server,
                        "--insecure-skip-tls-verify",
                        "--token=" + token)
                .err();
    }

    private static Program.Outcome towtank(RunningTowtank server, String... arguments) {
        var command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--data", server.data().toString()));
        return Program.towtank(command.toArray(String[]::new));
    }

    /// Where the kernel accounts for a process, unless that is where it accounts for us.
    private static List<Path> groupsOf(String command) throws IOException {
        var ours = Files.readString(Path.of("/proc/self/cgroup"));
        var process = ShellProgram.process(command);
        return Files.readAllLines(process.resolve("cgroup")).stream()
                .filter(line -> !ours.contains(line))
                .map(line -> line.split(":", 3))
                .map(parts -> Path.of("/sys/fs/cgroup", parts[1].replaceFirst("^name=", ""), parts[2]))
                .toList();
    }
}

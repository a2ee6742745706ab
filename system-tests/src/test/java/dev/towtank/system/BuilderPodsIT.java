package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Pods that build images on a server which lets them: that of whoever runs the tests, and, when that is root, one of
/// an ordinary user.
@ParameterizedClass
@MethodSource("users")
class BuilderPodsIT {

    /// What builders may, in a mount namespace of their own; and become root, which they are.
    private static final Set<String> ALLOWED =
            Set.of("mount", "more-namespaces", "change-root", "capabilities", "set-user-id");

    private static RunningTowtank server;
    private static Kubectl kubectl;

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) {
        server = user.equals(System.getProperty("user.name"))
                ? RunningTowtank.start("--allow-builders")
                : RunningTowtank.startAs(user, "--allow-builders");
        kubectl = Kubectl.newest(server.kubeconfig(), "builders");
        kubectl.run("create", "namespace", "builders");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    private static void run(String name, String context, String script) {
        kubectl.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: main, image: debian, securityContext: %s, command: [sh, -c, %s]}
                """.formatted(name, context, JsonText.write(Json.of(script))), "apply", "-f", "-");
        kubectl.run(
                "wait",
                "pod/" + name,
                "--for=jsonpath={.status.containerStatuses[0].state.terminated}",
                "--timeout=120s");
    }

    /// What a builder does for each line of its file: a root of its own, mounts in there, and a program in it.
    private static final String BUILD = """
            unshare --mount sh -ec '
              mkdir -p /tmp/root/proc /tmp/root/usr && cd /tmp/root
              ln -s usr/bin bin; ln -s usr/lib lib; ln -s usr/lib64 lib64
              mount --rbind /usr usr && mount --rbind /proc proc && mount -t tmpfs none /mnt
              chroot . /bin/sh -c "echo built > /word"
              cat word'
            """;

    @Test
    void makeMountsOfTheirOwnWhereTheyAsk() {
        run("privileged", "{privileged: true}", BUILD);
        run("capable", "{capabilities: {add: [SETFCAP]}}", BUILD);
        run("modest", "{}", BUILD);

        assertThat(kubectl.run("logs", "privileged")).isEqualTo("built\n");
        assertThat(kubectl.run("logs", "capable")).isEqualTo("built\n");
        assertThat(kubectl.run("logs", "modest")).contains("unshare failed: Operation not permitted");
        kubectl.await(
                "events",
                "--field-selector=involvedObject.name=privileged,reason=Unsupported",
                "{.message}",
                "this node gives no container rights over the machine, so it runs without securityContext of container"
                        + " main: privileged; it may make mounts of its own, to build images");
    }

    @Test
    void getNothingElse() {
        var script = new StringBuilder(
                "rm -f /tmp/*; export DATA=%s VICTIM_PID=%d SOCKET=none\n".formatted(server.data(), server.pid()));
        HostilePodsIT.ATTEMPTS.lines().map(line -> line.split(": ", 2)).forEach(attempt -> {
            if (!ALLOWED.contains(attempt[0])) {
                script.append("(%s) >/dev/null 2>&1 && echo got %s\n".formatted(attempt[1], attempt[0]));
            }
        });
        var quoted = script.append("echo tried").toString().replace("'", "'\\''");

        run("hostile", "{privileged: true}", "unshare --mount --pid --fork sh -c '" + quoted + "'");

        assertThat(kubectl.run("logs", "hostile")).isEqualTo("tried\n");
    }

    @Test
    void whatIsRunInThemLaterBuildsNothing() {
        kubectl.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: later}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: debian, securityContext: {privileged: true}, command: [sleep, "1000"]}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/later", "--for=condition=Ready", "--timeout=120s");

        assertThat(kubectl.run("exec", "later", "--", "grep", "CapEff", "/proc/self/status"))
                .isEqualTo("CapEff:\t0000000000000000\n");
        assertThat(kubectl.attempt("exec", "later", "--", "unshare", "-m", "true")
                        .exit())
                .isNotZero();
        kubectl.run("delete", "pod/later");
    }
}

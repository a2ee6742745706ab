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
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
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

/// Pods that want more than they may have, beside one that minds its own business; with a server of whoever runs
/// the tests, and, when that is root, with one of an ordinary user.
@ParameterizedClass
@MethodSource("users")
class HostilePodsIT {

    private static final String SECRET = "correct-horse-battery";
    /// At a unix socket without a file.
    private static final String LISTEN = "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); "
            + "bind(S, pack_sockaddr_un(\"\\0$ENV{SOCKET}\")) or die $!; listen(S, 9); sleep 999999";

    /// Each of these ends with 66 when it got what it wanted.
    static final String ATTEMPTS = """
            data-directory: cat $DATA/kubeconfig || ls $DATA/store || ls $DATA/pki || ls $DATA
            program-directory: ls $(dirname $DATA) | grep towtank
            files-in-memory: ls /dev/shm | grep .
            secret-of-another: find / -name victim-password | grep .
            environment-of-another: cat /proc/*/environ | tr '\\0' '\\n' | grep VICTIM=
            command-line-of-another: cat /proc/*/cmdline | tr '\\0' ' ' | grep 'sleep [4]7110815'
            memory-of-another: head -c1 /proc/$VICTIM_PID/mem
            root-of-another: ls /proc/$VICTIM_PID/root/treasure
            kill-another: kill -9 $VICTIM_PID
            trace-another: perl -e 'exit(syscall(101, 16, $ENV{VICTIM_PID}, 0, 0) == 0 ? 0 : 1)'
            enter-another: nsenter -t $VICTIM_PID -m -p true || nsenter -t 1 -n true
            home: ls -A /root /home | grep -v : | grep .
            ssh-keys: find / -name 'id_*' -path '*ssh*' | grep . || find / -name known_hosts | grep .
            users-environment: env | grep -i -E 'home=/(root|home)/.|ssh_|aws_|token'
            shadow: cat /etc/shadow || cat /etc/gshadow || cat /etc/sudoers
            temporary-files: ls -A /tmp /var/tmp | grep -v : | grep .
            container-engine: ls /run/docker.sock /var/run/docker.sock /run/podman/podman.sock /run/containerd
            mount: mount -t tmpfs none /mnt || mount --bind / /mnt || mount -o remount,rw /usr
            unmount: umount /proc || umount /usr || umount -l /
            more-namespaces: unshare -Ur true || unshare -m true || unshare -n true
            change-root: perl -e 'exit(syscall(155, "/", "/mnt") == 0 ? 0 : 1)'
            devices: mknod /tmp/sda b 8 0 || head -c1 /dev/mem || head -c1 /dev/kmsg || ls /dev/sd* /dev/vd*
            capabilities: grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | grep -vE '0{16}|00000000000405fb'
            new-privileges: grep NoNewPrivs /proc/self/status | grep -v '1$'
            system-calls: grep Seccomp: /proc/self/status | grep -v '2$' || dmesg | grep .
            set-user-id: cp /usr/bin/id /tmp/i && chmod 6755 /tmp/i && /tmp/i | grep euid || sudo -n true || su -c true
            another-user: perl -e '$> = 70000; exit($> == 70000 ? 0 : 1)' || chown 70000 /tmp
            kernel-settings: echo 1 > /proc/sys/vm/drop_caches || echo x > /proc/sys/kernel/core_pattern
            kernel-keys: echo b > /proc/sysrq-trigger || head -c1 /proc/kcore
            system-files: echo 1 > /sys/kernel/mm/ksm/run || mount -t sysfs none /mnt || ls -A /sys | grep .
            cgroups: ls /sys/fs/cgroup | grep . || mount -t cgroup2 none /mnt
            programs: touch /usr/bin/evil || echo x >> /usr/bin/true || touch /lib/evil
            raw-network: perl -MSocket -e 'exit(socket(S, AF_INET, SOCK_RAW, 1) ? 0 : 1)'
            network-settings: ip link add evil type dummy || ip addr add 192.0.2.77 dev lo
            clock: date -s @0 || hostname evil
            modules: perl -e 'exit(syscall(313, 0, "", 0) == 0 ? 0 : 1)' || insmod /tmp/x.ko
            reboot: perl -e 'exit(syscall(169, 0xfee1dead, 672274793, 0, 0) == 0 ? 0 : 1)'
            socket-of-another: perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("\\0$ENV{SOCKET}")) or die; print "got"'
            socket-of-the-machine: perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("\\0$ENV{SOCKET}-machine")) or die'
            priority: nice -n -5 sh -c 'test $(nice) -lt 0'
            """;

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @TempDir
    static Path directory;

    private static RunningTowtank server;
    private static Process listening;
    private static Kubectl kubectl;

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) throws IOException {
        server = user.equals(System.getProperty("user.name")) ? RunningTowtank.start() : RunningTowtank.startAs(user);
        var image = Files.createDirectory(directory.resolve("of-" + user));
        for (var each : List.of(directory, image)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        MachineImage.bring(server, image, server.data());
        kubectl = Kubectl.newest(server.kubeconfig(), "hostile");
        kubectl.run("create", "namespace", "hostile");
        var owner = kubectl.in("victims");
        owner.run("create", "namespace", "victims");
        owner.withInput("---\n" + victim(), "apply", "-f", "-");
        owner.run("wait", "pod/victim", "--for=condition=Ready", "--timeout=120s");
        var machine = new ProcessBuilder("perl", "-e", LISTEN);
        machine.environment().put("SOCKET", socket() + "-machine");
        listening = machine.start();
        owner.run("exec", "victim", "--", "sh", "-c", "until grep -q sleep /proc/1/comm; do sleep 0.1; done");
    }

    private static String victim() {
        return """
                {apiVersion: v1, kind: Secret, metadata: {name: treasure}, stringData: {victim-password: %s}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: victim}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: debian
                    command:
                    - sh
                    - -c
                    - |
                      echo $VICTIM
                      perl -e "$LISTEN" &
                      until grep -q "$SOCKET" /proc/net/unix; do sleep 0.1; done
                      exec sleep 47110815
                    env:
                    - {name: VICTIM, valueFrom: {secretKeyRef: {name: treasure, key: victim-password}}}
                    - {name: LISTEN, value: %s}
                    - {name: SOCKET, value: %s}
                    volumeMounts: [{name: treasure, mountPath: /treasure}]
                  volumes: [{name: treasure, secret: {secretName: treasure}}]
                """.formatted(SECRET, JsonText.write(Json.of(LISTEN)), socket());
    }

    private static String socket() {
        return "towtank" + server.data().toString().replace('/', '-');
    }

    /// What they try on a kernel that keeps such sockets apart, as the Node says where it does not.
    private static Map<String, String> attempts() {
        var node = kubectl.run("get", "nodes", "-o", "jsonpath={.items[*].status.conditions}");
        return ATTEMPTS.lines()
                .filter(line -> !line.startsWith("socket-") || !node.contains("unix sockets without files"))
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        listening.destroyForcibly();
        server.close();
        awaitNone("sleep 47110815");
    }

    /// Whatever the others did, it runs as before, and its secret is nowhere.
    @AfterEach
    void theVictimIsUndisturbed() {
        var owner = kubectl.in("victims");
        var status = JsonText.parseObject(owner.run("get", "pod", "victim", "-o", "json"))
                .objects("status", "containerStatuses")
                .getFirst();
        assertThat(status.flag("ready")).as(status.toString()).isTrue();
        assertThat(status.integer("restartCount")).as(status.toString()).isZero();
        assertThat(owner.run("logs", "victim")).isEqualTo("***\n");
        assertThat(owner.run("exec", "victim", "--", "cat", "/treasure/victim-password"))
                .isEqualTo(SECRET);
    }

    /// Who is told to have ended may be in the kernel's list for another moment.
    private static void awaitNone(String command) {
        Eventually.holds(() -> assertThat(processes(command)).isEmpty());
    }

    private static List<Long> processes(String command) {
        return ProcessHandle.allProcesses()
                .filter(it -> it.info().commandLine().orElse("").endsWith(command))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static String pod(String name, String image, String more, String script, Map<String, String> environment) {
        var variables = environment.entrySet().stream()
                .<Json>map(each -> Json.Obj.of("name", Json.of(each.getKey()), "value", Json.of(each.getValue())))
                .toList();
        var container = Json.Obj.builder()
                .put("name", "main")
                .put("image", image)
                .put("command", Json.Arr.of(Json.of("sh"), Json.of("-c"), Json.of(script)))
                .put("env", new Json.Arr(variables))
                .build();
        return """
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {restartPolicy: Never, %s containers: [%s]}}
                """.formatted(name, more, JsonText.write(container));
    }

    private static Json.Obj ended(String pod) {
        return ended(kubectl, pod);
    }

    private static Json.Obj ended(Kubectl where, String pod) {
        where.run(
                "wait",
                "pod/" + pod,
                "--for=jsonpath={.status.containerStatuses[0].state.terminated}",
                "--timeout=170s"); // some of them do what they can to be in everybody's way
        return JsonText.parseObject(where.run("get", "pod", pod, "-o", "json"));
    }

    private static Json.Obj state(Json.Obj pod) {
        return pod.objects("status", "containerStatuses").getFirst().object("state", "terminated");
    }

    @Test
    void getNothingThatIsNotTheirs() {
        var attempts = attempts();
        // The one that leads the container's pid namespace, as the machine numbers it.
        var victim = processes("sleep 47110815").getLast();
        var variables = Map.of("DATA", server.data().toString(), "VICTIM_PID", victim.toString(), "SOCKET", socket());
        var pods = attempts.entrySet().stream()
                .map(each ->
                        pod(each.getKey(), "debian", "", "(" + each.getValue() + ") && exit 66; exit 0", variables))
                .collect(Collectors.joining());

        var hostile = kubectl.in("attempts");
        hostile.run("create", "namespace", "attempts");
        hostile.withInput(pods, "apply", "-f", "-");
        // One after another: together they take a slow machine longer than one is waited for.
        attempts.keySet().forEach(name -> ended(hostile, name));

        var all = new SoftAssertions();
        for (var pod :
                JsonText.parseObject(hostile.run("get", "pods", "-o", "json")).objects("items")) {
            var name = pod.string("metadata", "name");
            all.assertThat(state(pod).integer("exitCode"))
                    .as(() -> name + ": " + hostile.run("logs", name))
                    .isZero();
        }
        all.assertAll();
        // That they could have found something shows where it is to be found.
        for (var name : List.of(
                "secret-of-another", "environment-of-another", "command-line-of-another", "socket-of-another")) {
            assertThat(kubectl.in("victims").run("exec", "victim", "--", "sh", "-c", attempts.get(name)))
                    .as(name)
                    .isNotEmpty();
        }
    }

    /// All of it again, by other ways to run something: later, as a probe, in a network of its own, and as a step of a
    /// task that has it from elsewhere; on the machine's programs and on a real image.
    @ParameterizedTest
    @ValueSource(strings = {"debian", MachineImage.NAME})
    void getNothingByOtherWaysToRunSomething(String image) {
        boolean isReal = image.equals(MachineImage.NAME);
        var victim = processes("sleep 47110815").getLast();
        var script = new StringBuilder(
                "rm -f /tmp/*; export DATA=%s VICTIM_PID=%d SOCKET=%s\n".formatted(server.data(), victim, socket()));
        attempts().forEach((name, attempt) -> {
            if (!isReal || !name.equals("programs")) { // a real image's are the container's own
                script.append("(%s) >/dev/null 2>&1 && echo got %s\n".formatted(attempt, name));
            }
        });
        if (isReal) {
            script.append(OF_IMAGES);
        }
        var all = Json.of(script + "echo tried");
        var name = isReal ? "image" : "machine";
        kubectl.withInput("""
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: attempts-%2$s}, data: {all: %1$s}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: ways-%2$s, annotations: {towtank.dev/network: own}}
                spec:
                  terminationGracePeriodSeconds: 0
                  securityContext: {runAsUser: 0}
                  containers:
                  - name: main
                    image: %3$s
                    command: [sleep, "1000"]
                    readinessProbe: {timeoutSeconds: 150, exec: {command: [sh, -c, "test -e /probed || { sh /a/all > /probed.new && mv /probed.new /probed; }"]}}
                    volumeMounts: [{name: a, mountPath: /a}]
                  volumes: [{name: a, configMap: {name: attempts-%2$s}}]
                ---
                {apiVersion: tekton.dev/v1beta1, kind: StepAction, metadata: {name: attempts-%2$s}, spec: {
                  image: "%3$s", command: [sh, $(workspaces.w.path)/all]}}
                ---
                {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: ways-%2$s}, spec: {
                  workspaces: [{name: w, configMap: {name: attempts-%2$s}}],
                  taskSpec: {workspaces: [{name: w}], steps: [{name: main, ref: {name: attempts-%2$s}}]}}}
                """.formatted(JsonText.write(all), name, image), "apply", "-f", "-");

        // Its probe tries once: what it leaves in files meanwhile would be found by those that try beside it.
        kubectl.run("wait", "pod/ways-" + name, "--for=condition=Ready", "--timeout=170s");
        assertThat(kubectl.run("get", "pod", "ways-" + name, "-o", "jsonpath={..imageID}"))
                .contains(isReal ? "@sha256:" : "stand-in://");
        assertThat(kubectl.run("exec", "ways-" + name, "--", "cat", "/probed")).isEqualTo("tried\n");
        assertThat(kubectl.run("exec", "ways-" + name, "--", "sh", "/a/all")).isEqualTo("tried\n");
        kubectl.await("taskrun/ways-" + name, "{.status.conditions[0].status}", "True");
        assertThat(kubectl.run("logs", "ways-" + name + "-pod", "--container=step-main"))
                .isEqualTo("tried\n");
        kubectl.run("delete", "pod", "ways-" + name);
    }

    /// What only those try who have a root of their own. The first one leaves something that the later ones look for.
    private static final String OF_IMAGES = """
            ls -d /plain/store /up/store /out/store /through/store >/dev/null 2>&1 && echo got links
            cat /etc/passwd 2>/dev/null | grep . && echo got users
            (touch /dev/towtank/x || echo x >> /dev/towtank/setpriv || rm /dev/towtank/ld.so) 2>/dev/null && echo got carried
            test -e /usr/bin/evil && test ! -e /mine && echo got layer
            { echo evil > /usr/bin/evil; echo x >> /usr/bin/env; touch /mine; } 2>/dev/null
            find / -xdev -path '*images/layers*' 2>/dev/null | grep . && echo got store
            grep -o "$DATA[^ ,:]*/layers/[0-9a-f]*" /proc/self/mountinfo | while read -r d; do touch $d/x 2>/dev/null && echo got lower; done
            """;

    /// What is in memory for their roots and nowhere else has the same bounds in a network of their own.
    @Test
    void onARealImageTheyHaveTheSameBounds() {
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: image-fills, annotations: {towtank.dev/network: own}}
                spec:
                  restartPolicy: Never
                  securityContext: {runAsUser: 0}
                  containers:
                  - name: main
                    image: IMAGE
                    command: [sh, -c, "cat /dev/zero > /filling; exit 3"]
                    resources: {limits: {ephemeral-storage: 16Mi}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: image-forks, annotations: {towtank.dev/network: own}}
                spec:
                  activeDeadlineSeconds: 4
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: IMAGE, command: [bash, -c, "forks() { forks | forks & }; forks; while :; do forks; done"]}]
                """.replace("IMAGE", MachineImage.NAME), "apply", "-f", "-");
        kubectl.run("wait", "pod/image-forks", "--for=jsonpath={.status.containerStatuses[0].state}", "--timeout=120s");
        kubectl.run("run", "beside-image", "--image=debian", "--restart=Never", "--", "true");

        assertThat(state(ended("beside-image")).integer("exitCode")).isZero();
        assertThat(state(ended("image-fills")).integer("exitCode")).isEqualTo(3);
        assertThat(kubectl.run("logs", "image-fills")).contains("No space left on device");
        assertThat(ended("image-forks").string("status", "phase")).isEqualTo("Failed");
        awaitNone("forks; done");
    }

    @Test
    void getNothingFromTheServerByTheirToken() {
        var script = """
                for what in 'get secret treasure -n victims' 'get secrets -A' 'get pods -n victims' 'get secrets' \\
                    'get nodes' 'get namespaces' 'exec -n victims victim -- cat /treasure/victim-password' \\
                    'logs -n victims victim' 'get clusterroles' \\
                    'create token default -n kube-system' 'delete pod victim -n victims' \\
                    'create clusterrolebinding evil --clusterrole=cluster-admin --user=evil'; do
                  kubectl $what && exit 66
                done 2>&1
                exit 0
                """;
        kubectl.withInput(pod("token", "bitnami/kubectl", "", script, Map.of()), "apply", "-f", "-");

        assertThat(state(ended("token")).integer("exitCode")).isZero();
        assertThat(kubectl.run("logs", "token").lines())
                .hasSize(12)
                .allMatch(line -> line.contains("orbidden"), "is forbidden");
    }

    @Test
    void forkNoFurtherThanTheirBound() {
        var script = "bomb() { bomb | bomb & }; bomb; while :; do bomb; done";
        var more = "activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 0,";
        kubectl.withInput(pod("forks", "debian", more, script, Map.of("MARK", "fork-mark")), "apply", "-f", "-");
        kubectl.run("wait", "pod/forks", "--for=jsonpath={.status.containerStatuses[0].state}", "--timeout=120s");
        kubectl.run("run", "beside", "--image=debian", "--restart=Never", "--", "true");

        assertThat(state(ended("beside")).integer("exitCode")).isZero();
        assertThat(ended("forks").string("status", "phase")).isEqualTo("Failed");
        awaitNone("bomb; done");
    }

    @Test
    void writeNoFurtherThanTheirBound() {
        var limit = "resources: {limits: {ephemeral-storage: 16Mi}}";
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: fills-root}
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: debian, command: [sh, -c, "cat /dev/zero > /file; exit 3"], %s}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: fills-volume}
                spec:
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: debian
                    command: [sh, -c, "head -c 30m /dev/zero > /v/file; sleep 1000"]
                    volumeMounts: [{name: v, mountPath: /v}]
                    %s
                  volumes: [{name: v, emptyDir: {}}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: fills-hosts}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: debian, command: [sh, -c, "head -c 30m /dev/zero > /etc/hosts; sleep 1000"]}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: fills-message}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: debian, command: [sh, -c, "head -c 30m /dev/zero > /dev/termination-log; sleep 1000"]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: hides-file}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: debian
                    command: [sh, -c, "exec 5>/v/file; head -c 30m /dev/zero >&5; rm /v/file; sleep 1000"]
                    volumeMounts: [{name: v, mountPath: /v}]
                  volumes: [{name: v, emptyDir: {sizeLimit: 16Mi}}]
                """.formatted(limit, limit), "apply", "-f", "-");

        var root = ended("fills-root");
        assertThat(state(root).integer("exitCode")).isEqualTo(3);
        assertThat(kubectl.run("logs", "fills-root")).contains("No space left on device");
        var volume = ended("fills-volume");
        kubectl.await("pod/fills-volume", "{.status.reason}", "Evicted");
        assertThat(JsonText.parseObject(kubectl.run("get", "pod", "fills-volume", "-o", "json"))
                        .string("status", "message"))
                .isEqualTo("Pod ephemeral local storage usage exceeds the total limit of containers 16Mi. ");
        assertThat(volume.string("spec", "nodeName")).isNotEmpty();
        assertThat(eviction("fills-hosts")).isEqualTo("Usage of /etc/hosts exceeds the limit \"2048Ki\". ");
        assertThat(eviction("fills-message"))
                .isEqualTo("Usage of the termination message exceeds the limit \"2048Ki\". ");
        assertThat(eviction("hides-file")).isEqualTo("Usage of EmptyDir volume \"v\" exceeds the limit \"16Mi\". ");
    }

    private static String eviction(String pod) {
        kubectl.await("pod/" + pod, "{.status.reason}", "Evicted");
        return kubectl.run("get", "pod", pod, "-o", "jsonpath={.status.message}");
    }

    @Test
    void endWhenTheyMust() {
        var more = "terminationGracePeriodSeconds: 1,";
        var pods = pod("deaf", "debian", more, "trap '' TERM INT HUP; echo up; while :; do sleep 4715; done", Map.of())
                + pod("daemon", "debian", more, "setsid sleep 4716 >/dev/null 2>&1 & exit 5", Map.of())
                + pod("mute", "debian", more, "echo a; exec >&- 2>&- <&-; sleep 0.2; exit 4", Map.of());
        kubectl.withInput(pods, "apply", "-f", "-");

        assertThat(state(ended("daemon")).integer("exitCode")).isEqualTo(5);
        assertThat(state(ended("mute")).integer("exitCode")).isEqualTo(4);
        assertThat(kubectl.run("logs", "mute")).isEqualTo("a\n");
        kubectl.await("pod/deaf", "{.status.phase}", "Running");
        kubectl.run("delete", "pod", "deaf", "--timeout=120s");
        awaitNone("sleep 4715");
        awaitNone("sleep 4716");
    }

    @Test
    void sayWhatTheyLikeWithinBounds() throws IOException {
        var pods = pod("binary", "debian", "", "printf '\\000\\377\\r\\n\\n\\001x'", Map.of())
                + pod("line", "debian", "", "head -c 100000000 /dev/zero | tr '\\0' y; echo; echo end", Map.of())
                + pod("lines", "debian", "", "yes | head -c 60000000; echo end", Map.of());
        kubectl.withInput(pods, "apply", "-f", "-");

        for (var name : List.of("binary", "line", "lines")) {
            assertThat(state(ended(name)).integer("exitCode")).isZero();
        }
        assertThat(kubectl.run("logs", "line", "--tail=1")).isEqualTo("end\n");
        assertThat(kubectl.run("logs", "lines", "--tail=2")).isEqualTo("y\nend\n");
        assertThat(kubectl.run("logs", "binary")).isEqualTo("\0\uFFFD\r\n\n\1x");
        for (var name : List.of("line", "lines")) {
            assertThat(size(name)).isBetween(1_000_000L, 80_000_000L);
        }
    }

    private static long size(String pod) throws IOException {
        var uid = kubectl.run("get", "pod", pod, "-o", "jsonpath={.metadata.uid}");
        try (var files = Files.walk(server.data().resolve("node/pods").resolve(uid))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(HostilePodsIT::length)
                    .sum();
        }
    }

    private static long length(Path file) {
        return file.toFile().length();
    }
}

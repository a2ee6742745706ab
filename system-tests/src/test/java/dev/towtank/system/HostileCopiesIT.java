package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile pods on copies of an image's files, which a container has where the kernel puts no layers over each other:
/// what it writes is on the machine's disk, beside what others have. With a server of whoever runs the tests, and, when
/// that is root, with one of an ordinary user.
@ParameterizedClass
@MethodSource("users")
class HostileCopiesIT {

    /// Each of them has 16 MiB, and hides what it writes in its own way.
    private static final Map<String, String> FILLING = Map.of(
            "plainly", "head -c 30000000 /dev/zero > /f",
            "by-mode",
                    "perl -e 'mkdir q(/a/b) or die' && head -c 30000000 /dev/zero > /a/b/f && chmod 0 /a/b && chmod 400 /a && chmod 111 /",
            "nameless", "exec 5>/f && head -c 30000000 /dev/zero >&5 && rm /f",
            "in-parts", "i=0; while [ $i -lt 30 ]; do head -c 1000000 /dev/zero > /f$i; i=$((i+1)); done");

    private static final String SPOIL =
            "for f in /usr/bin/env /usr/bin/perl; do echo x >> $f; done; echo x > /usr/bin/new; "
                    + "chmod 6755 /usr/bin/id; perl -e 'link q(/usr/bin/env), q(/linked)'; mv /usr/bin/cat /usr/bin/moved; "
                    + "mknod /whiteout c 0 0; exec sleep 1000";

    private static final String LOOK = "test -e /usr/bin/new || test -e /usr/bin/moved || test -e /linked "
            + "|| test -u /usr/bin/id || grep -qax x /usr/bin/env || echo untouched";

    static List<String> users() {
        return HostilePodsIT.users();
    }

    @TempDir
    static Path directory;

    private static RunningTowtank server;
    private static Kubectl kubectl;

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) throws IOException {
        server = RunningTowtank.startIn(Map.of("TOWTANK_IMAGE_ROOTS", "copy"), user);
        var image = Files.createDirectory(directory.resolve("of-" + user));
        for (var each : List.of(directory, image)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        MachineImage.bring(server, image, server.data());
        kubectl = Kubectl.newest(server.kubeconfig(), "default");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    private static String pod(String name, String script) {
        return """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 0
                  restartPolicy: Never
                  containers:
                  - {name: main, image: "%s", command: [sh, -c, "%s"], resources: {limits: {ephemeral-storage: 16Mi}}}
                """.formatted(name, MachineImage.NAME, script);
    }

    @Test
    void whatTheyWriteIsTheirsAloneAndBounded() throws IOException {
        var store = server.data().resolve("images");
        var before = files(store);
        var pods = new StringBuilder(pod("spoils", SPOIL)).append(pod("beside", "exec sleep 1000"));
        FILLING.forEach((name, script) -> pods.append(pod(name, script + "; exec sleep 1000")));
        kubectl.withInput(pods.toString(), "apply", "-f", "-");

        kubectl.run("wait", "pod/spoils", "pod/beside", "--for=condition=Ready", "--timeout=120s");
        kubectl.run("exec", "spoils", "--", "sh", "-c", "until test -c /whiteout; do sleep 0.1; done");
        assertThat(kubectl.run("exec", "beside", "--", "sh", "-c", LOOK)).isEqualTo("untouched\n");
        var node = server.data().resolve("node/sandbox/roots");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(node)))
                .as("who else is on the machine finds no set-user-ID file")
                .isEqualTo("rwx------");
        assertThat(inodes(node)).isNotEmpty().doesNotContainAnyElementsOf(inodes(store));

        for (var name : FILLING.keySet()) {
            kubectl.await("pod/" + name, "{.status.reason}", "Evicted");
            assertThat(kubectl.run("get", "pod", name, "-o", "jsonpath={.status.message}"))
                    .isEqualTo("Container main exceeded its local ephemeral storage limit \"16384Ki\". ");
        }

        server = server.killAndStart();
        assertThat(kubectl.run("exec", "beside", "--", "sh", "-c", LOOK)).isEqualTo("untouched\n");
        kubectl.run("delete", "pods", "--all", "--timeout=120s");
        var end = Instant.now().plusSeconds(120);
        while (!inodes(node).isEmpty()) {
            assertThat(Instant.now()).as("nothing is left of them").isBefore(end);
        }
        assertThat(files(store)).isEqualTo(before);
    }

    /// With what tells whether one was written to.
    private static Map<String, String> files(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            var found = new TreeMap<String, String>();
            for (var file :
                    files.filter(it -> it.toString().contains("/layers/")).toList()) {
                var facts =
                        Files.readAttributes(file, "unix:mode,size,nlink,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
                found.put(file.toString(), new TreeMap<>(facts).toString());
            }
            return found;
        }
    }

    /// Of all regular files.
    private static Set<Object> inodes(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(HostileCopiesIT::inode)
                    .collect(Collectors.toSet());
        } catch (UncheckedIOException e) {
            return Set.of("one that goes just now");
        }
    }

    private static Object inode(Path file) {
        try {
            return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return "one that goes just now";
        }
    }
}

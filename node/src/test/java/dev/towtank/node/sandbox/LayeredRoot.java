package dev.towtank.node.sandbox;

import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.TestImage;
import dev.towtank.node.images.store.TestLayer;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A container on an image's own root, of which it says what it sees. A program of its own, so that somebody without
/// any rights can run it as well.
final class LayeredRoot {

    static final String SCRIPT = """
            id -u; id -g; stat -c %u:%g /owned; cat /lower; test -e /gone || echo gone; cat /proc/1/comm
            echo mine > /lower && cat /lower; touch /etc/x /new && echo wrote
            rm -r /tree && mkdir /tree && ls /tree | wc -l
            cat /etc/hostname; ls /usr 2>/dev/null | wc -l; ls /run/secrets
            grep CapEff /proc/self/status; grep Seccomp: /proc/self/status
            dd if=/dev/zero of=/big bs=1024 count=4096 2>/dev/null && echo more || echo full
            rm /big; echo x 2>/dev/null > /proc/sys/kernel/core_pattern || echo kept
            echo ready; sleep 100
            """;

    private LayeredRoot() {}

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]);
        var image = TestImage.of(
                        "{}",
                        TestLayer.busybox()
                                .file("lower", "from below\n")
                                .file("gone", "x")
                                .owned("owned", 1234, 77)
                                .file("tree/a/b", "x")
                                .link("var/run", "../run")
                                .link("etc/resolv.conf", "/../../../../../evil-" + home.getFileName()),
                        new TestLayer()
                                .file(".wh.gone", "")
                                .link("proc", "../oldroot/proc")
                                .link("dev", "/"))
                .in(ImageStore.open(home.resolve("images"), UnpackLimits.USUAL), "docker.io/test:1");
        var secrets = Files.createDirectories(home.resolve("secrets"));
        Files.writeString(secrets.resolve("token"), "x");
        var shared = home.resolve("shared");
        boolean copied = arguments[1].equals("copied");
        try (var sandbox = Sandboxes.bubblewrap(shared, shared, copied, InstantSource.system())) {
            var container = sandbox.start(new Recipe("c1", home)
                    .alone()
                    .layers(image)
                    .user(7, 8)
                    .rootBytes(2 << 20)
                    .mount(secrets, "/var/run/secrets", true)
                    .command("/bin/sh", "-c", SCRIPT)
                    .spec());
            try (var in = container.log().read(Logs.following())) {
                for (var line = ""; !line.equals("ready"); ) {
                    line = Logs.line(in);
                    System.out.println(line);
                }
            }
            say(sandbox, false, "id -u; cat /lower; grep -E 'CapEff|NoNewPrivs' /proc/self/status");
            say(sandbox, true, "test -t 0 && echo terminal");
            container.kill();
            System.out.println(container.await().code());
            sandbox.remove("c1", home.resolve("runs/c1"));
            var readOnly = sandbox.start(new Recipe("c2", home)
                    .alone()
                    .layers(image)
                    .readOnlyRoot()
                    .command("/bin/sh", "-c", "touch /x 2>/dev/null || echo read-only")
                    .spec());
            readOnly.await();
            System.out.print(Logs.all(readOnly));
            sandbox.remove("c2", home.resolve("runs/c2"));
            var absent = sandbox.start(
                    new Recipe("c3", home).layers(image).command("/bin/absent").spec());
            System.out.println(absent.await());
            sandbox.remove("c3", home.resolve("runs/c3"));
            sandbox.abilities().missing().forEach(System.out::println);
        }
    }

    private static void say(Sandbox sandbox, boolean tty, String script) throws IOException {
        var command = new ExecSpec(List.of("sh", "-c", script), Map.of("PATH", "/bin"), "/", false, tty);
        try (var session = sandbox.exec("c1", command)) {
            System.out.print(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8));
            System.out.print(new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}

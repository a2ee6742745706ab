package dev.towtank.node.sandbox;

import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.TestImage;
import dev.towtank.node.images.store.TestLayer;
import dev.towtank.node.images.store.UnpackLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A container that begins as root on an image of its own, and becomes others. A program of its own, so that somebody
/// without any rights can run it as well.
final class SeveralUsers {

    static final Set<String> RIGHTS = Set.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID");

    private static final String SCRIPT = """
            setpriv='/dev/towtank/ld.so --library-path /dev/towtank /dev/towtank/setpriv'
            become="$setpriv --reuid 1234 --regid 77 --clear-groups /bin/sh -c"
            id -u; stat -c %u:%g /owned /covered /home/app /link /etc/passwd; cat /etc/hostname
            chown 5:6 /covered && stat -c %u:%g /covered
            touch /mine && chown 70000:0 /mine 2>/dev/null || echo only-those
            $become 'id -u; id -g; cat /owned; cat /etc/shadow || touch /etc/x || echo not-his
            touch /home/app/new /volume/his 2>/dev/null; stat -c %u:%g /home/app/new; cat /etc/hostname; kill -0 1 || echo not-ours
            grep CapEff /proc/self/status'
            grep -E 'CapEff|Seccomp:|NoNewPrivs' /proc/self/status
            unshare -U true 2>/dev/null || echo no-more; mount -t tmpfs x /tmp 2>/dev/null || echo no-mounts
            test -e /volume/his && stat -c %u:%g /volume/his
            test "$(for each in /proc/self/fd/*; do readlink $each; done | grep ^user:)" = "$(readlink /proc/self/ns/user)" && echo own-place
            echo x 2>/dev/null > /proc/sys/kernel/core_pattern || echo kept
            echo ready; test "$(stat -c %u /home/app)" = 0 && exec sleep 100
            exec $become 'sleep 100'
            """;

    /// When the first process has become the other one.
    private static final String LOOK = """
            until test $(stat -c %u /proc/1) = $(stat -c %u /home/app); do sleep 1; done
            id -u; stat -c %u /proc/1; grep -E 'CapEff|NoNewPrivs' /proc/self/status
            """;

    private SeveralUsers() {}

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]);
        var image = TestImage.of(
                        "{}",
                        TestLayer.busybox()
                                .links("bin/", "busybox", "readlink", "chown", "kill", "unshare", "mount")
                                .owned("owned", 1234, 77)
                                .owned("covered", 1234, 77)
                                .owned("link/below", 1234, 77)
                                .owned("home/app/", 1234, 77)
                                .file("etc/shadow", "x".getBytes(StandardCharsets.UTF_8), 0600),
                        new TestLayer().file("covered", "by another layer").file(".wh.link", ""),
                        new TestLayer().link("link", "/../../../etc"))
                .in(ImageStore.open(home.resolve("images"), UnpackLimits.USUAL), "docker.io/test:1");
        var shared = home.resolve("shared");
        var volume = Files.createDirectories(home.resolve("volume"));
        var recipe = new Recipe("c1", home).layers(image).rights(RIGHTS).command("/bin/sh", "-c", SCRIPT);
        if (arguments[1].equals("volume")) {
            volume.toFile().setWritable(true, false);
            recipe.mount(volume, "/volume", false);
        }
        try (var sandbox = Sandboxes.bounded(shared, InstantSource.system())) {
            var container = sandbox.start(recipe.spec());
            try (var in = container.log().read(Logs.following())) {
                for (var line = ""; line != null && !line.equals("ready"); ) {
                    line = Logs.line(in);
                    System.out.println(line);
                }
            }
            var look = List.of("sh", "-c", LOOK);
            var command = new ExecSpec(look, Map.of("PATH", "/bin"), "/", false, false, RIGHTS);
            try (var session = sandbox.exec("c1", command)) {
                System.out.print(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8));
                System.out.print(new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8));
            }
            container.kill();
            System.out.println(container.await().code());
            sandbox.remove("c1", home.resolve("runs/c1"));
            sandbox.abilities().missing().forEach(System.out::println);
        }
    }
}

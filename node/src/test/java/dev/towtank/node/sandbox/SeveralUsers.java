package dev.towtank.node.sandbox;

import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.TestImage;
import dev.towtank.node.images.store.TestLayer;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.linux.DiskUsage;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.UnlinkedFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A container that begins as root and becomes others, and two that begin as one of them, on an image and without, and
/// share a volume with it. A program of its own, so that somebody without any rights can run it as well.
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
            stat -c %u:%g /volume/his
            mkdir -m 700 /volume/shut && chown 1234:77 /volume/shut && echo shut
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

    /// Of who begins as somebody else, after that.
    private static final String OTHER = """
            id -u; id -g; id -G; stat -c %u:%g /volume/shut; echo more > /volume/shut/more && cat /volume/shut/more
            echo x 2>/dev/null > /volume/kept || echo not-his; chown 0 /volume/shut/more 2>/dev/null || echo stays
            grep -E 'CapEff|Seccomp:|NoNewPrivs' /proc/self/status
            unshare -U true 2>/dev/null || echo no-more; mount -t tmpfs x /tmp 2>/dev/null || echo no-mounts
            exec 9> /volume/shut/gone; rm /volume/shut/gone; head -c 300000 /dev/zero >&9
            echo ready; exec sleep 100
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
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
        var kept = Files.writeString(volume.resolve("kept"), "x");
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-r--r--"));
        try (var sandbox = Sandboxes.bounded(shared, InstantSource.system())) {
            run(sandbox, recipe("root", home, volume).layers(image).command("/bin/sh", "-c", SCRIPT), LOOK, volume);
            for (var recipe :
                    List.of(recipe("on-image", home, volume).layers(image), recipe("on-stand-in", home, volume))) {
                run(sandbox, recipe.user(1234, 77, 9).command("/bin/sh", "-c", OTHER), "id -u; id -G", volume);
            }
            System.out.println(DiskUsage.exceeds(List.of(volume), 1 << 20) ? "too much" : "measured");
            FileTree.delete(volume);
            System.out.println(Files.exists(volume) ? "still there" : "deleted");
            sandbox.abilities().missing().forEach(System.out::println);
        }
    }

    private static Recipe recipe(String id, Path home, Path volume) {
        return new Recipe(id, home).rights(RIGHTS).mount(volume, "/volume", false);
    }

    private static void run(Sandbox sandbox, Recipe recipe, String look, Path volume) throws Exception {
        var spec = recipe.spec();
        var container = sandbox.start(spec);
        try (var in = container.log().read(Logs.following())) {
            for (var line = ""; line != null && !line.equals("ready"); ) {
                line = Logs.line(in);
                System.out.println(line);
            }
        }
        var command =
                new ExecSpec(List.of("sh", "-c", look), Map.of("PATH", "/usr/bin:/bin"), "/", false, false, RIGHTS);
        try (var session = sandbox.exec(spec.id(), command)) {
            System.out.print(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8));
            System.out.print(new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8));
        }
        if (!look.equals(LOOK)) { // the others hold a file without a name
            long nameless = UnlinkedFiles.bytes(List.of(container.number().orElseThrow()), List.of(volume));
            System.out.println(nameless >= 300_000 ? "found" : "hidden");
        }
        container.kill();
        System.out.println(container.await().code());
        sandbox.remove(spec.id(), spec.directory());
    }
}

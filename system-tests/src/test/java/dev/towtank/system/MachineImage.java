package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/// An image with the programs that people attack machines with, taken from this one, and links that lead to a directory
/// of it. As `docker save` writes one, but by tar alone.
final class MachineImage {

    static final String NAME = "hostile.example/programs:1";

    private static final String MAKE = """
            set -e
            cd "$1"
            for program in sh bash cat ls dirname grep find tr head perl nsenter env mount umount unshare chroot mknod dmesg cp \\
                chmod id su chown touch ip date hostname nice sleep mv rm; do
              command -v "$program" | grep ^/ || true
            done > programs
            printf '/usr/bin/%s\\n' true test kill >> programs # which shells have themselves
            xargs ldd < programs 2>/dev/null | grep -oE '/[^ ]+' | grep -v ':$' | sort -u > libraries
            dpkg -L perl-base | while read -r file; do [ ! -f "$file" ] || echo "$file"; done >> libraries
            mkdir -p extra/etc extra/tmp extra/mnt extra/a
            chmod 1777 extra/tmp
            ln -s usr/bin extra/bin
            ln -s "/oldroot$2" extra/out
            ln -s "$2" extra/plain
            ln -s "../../../../../../..$2" extra/up
            ln -s "$2/made" extra/file
            ln -s "$2/canary" extra/etc/passwd
            ln -s "/proc/1/root$2" extra/through
            tar -chf layer.tar --no-recursion --ignore-failed-read -T programs -T libraries 2>/dev/null
            tar -rf layer.tar -C extra .
            sum=$(sha256sum layer.tar | cut -d' ' -f1)
            machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
            echo '{"architecture": "'$machine'", "os": "linux", "config": {"User": "app", "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]},
              "rootfs": {"type": "layers", "diff_ids": ["sha256:'$sum'"]}}' > config.json
            echo '[{"Config": "config.json", "RepoTags": ["'$3'"], "Layers": ["layer.tar"]}]' > manifest.json
            tar -cf image.tar manifest.json config.json layer.tar
            chmod 0644 image.tar
            """;

    private MachineImage() {}

    /// Brings it to a server.
    ///
    /// @param directory for what is made on the way, which that server's user may read
    /// @param led where its links lead
    static void bring(RunningTowtank server, Path directory, Path led) {
        var made = Program.run(List.of("sh", "-c", MAKE, "make", directory.toString(), led.toString(), NAME));
        assertThat(made.exit()).as(made.err()).isZero();
        var brought = server.command(
                "images", "import", directory.resolve("image.tar").toString());
        assertThat(brought.out()).as(brought.err()).contains(NAME + " is here: sha256:");
    }
}

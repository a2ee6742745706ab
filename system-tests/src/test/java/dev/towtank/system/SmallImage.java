package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// An image made by the tools of others: a root with busybox and what it needs, which says whom it runs as, where, and
/// what.
///
/// @param directory in which `layout` has it as `v1`
record SmallImage(Path directory) {

    private static final String MAKE = """
            set -e
            cd "$1"
            umoci init --layout layout
            umoci new --image layout:v1
            umoci unpack --rootless --image layout:v1 bundle
            mkdir -p bundle/rootfs/bin bundle/rootfs/etc
            cp -L /bin/busybox bundle/rootfs/bin/
            for library in $(ldd /bin/busybox | grep -oE '/[^ ]+'); do
              mkdir -p "bundle/rootfs$(dirname "$library")"
              cp -L "$library" "bundle/rootfs$library"
            done
            for name in sh cat id sleep; do ln -s busybox bundle/rootfs/bin/$name; done
            echo real > bundle/rootfs/etc/which
            echo 'app:x:1234:77:app:/:/bin/sh' > bundle/rootfs/etc/passwd
            umoci repack --image layout:v1 bundle
            umoci config --image layout:v1 --config.user app --config.workingdir /srv/work \\
              --config.cmd /bin/sh --config.cmd -c --config.cmd 'id -u; cat /etc/which; pwd'
            """;

    static SmallImage make(Path directory) throws Exception {
        run(directory, "sh", "-c", MAKE, "make", directory.toString());
        return new SmallImage(directory);
    }

    /// Brings it elsewhere, by skopeo.
    ///
    /// @param to such as `docker://127.0.0.1:5000/team/app:v1`
    void copy(String to, String... options) throws Exception {
        var command = new ArrayList<>(List.of("skopeo", "copy"));
        command.addAll(List.of(options));
        command.addAll(List.of("oci:layout:v1", to));
        run(directory, command.toArray(String[]::new));
    }

    /// Waits until a pod is told that its image cannot be pulled: after a while the first word for it is another.
    static void awaitRefused(Kubectl kubectl, String pod) {
        kubectl.await(
                "pod",
                "--field-selector=metadata.name=" + pod,
                "{.status.containerStatuses[0].state.waiting.reason}",
                "ErrImagePull or ImagePullBackOff",
                Set.of("ErrImagePull", "ImagePullBackOff")::contains);
    }

    private static void run(Path directory, String... command) throws Exception {
        var made = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
    }
}

package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.images.store.LayeredFiles;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Puts the layers of an image and a writable one over each other, which this bubblewrap cannot. It is done in a mount
/// namespace of the container's monitor, so the mounts end with it whatever becomes of the server, and nobody else sees
/// them; where the server is not root, in a user namespace as well. The writable layer is in memory, and bounded.
final class OverlayRoot {

    private static final String LAYER = "layer";
    private static final String IMAGE = "image";

    /// The container's directory, the size and the options are arguments of their own, so none of them is a command.
    private static final String SCRIPT = """
            said=$( {
              cd "$1" &&
              mount -n -t tmpfs -o "size=$2,mode=0755" tmpfs layer &&
              mkdir layer/upper layer/work layer/root &&
              mount -n -t overlay -o "$3" overlay layer/root
            } 2>&1 ) || {
              echo "bwrap: the layers of the image cannot be put over each other: $said" >&2
              exit 1
            }
            shift 3
            exec "$@"
            """;

    private final MachineView machine;

    OverlayRoot(MachineView machine) {
        this.machine = machine;
    }

    Path program() throws IOException {
        return MachineView.program("unshare")
                .orElseThrow(() -> new IOException("real images need the program unshare, of the package util-linux"));
    }

    /// Where bubblewrap finds the root.
    static Path place(ContainerSpec spec) {
        return spec.directory().resolve(LAYER).resolve("root");
    }

    /// What the monitor mounts before it is bubblewrap.
    Groundwork.Layers layers(ContainerSpec spec) throws IOException {
        if (!(spec.command().image().root() instanceof Image.Root.Layers(var files, var _))) {
            throw new IOException("the image has no layers");
        }
        // With these two names the kernel's page of options holds many layers, whatever the path to the data is.
        Files.createDirectories(spec.directory().resolve(LAYER));
        Files.createSymbolicLink(spec.directory().resolve(IMAGE), files.root());
        return new Groundwork.Layers(
                spec.directory(), JailArguments.rootBytes(spec, machine), options(files), !machine.root());
    }

    /// A command that does the same and becomes bubblewrap then, for a process that waits already.
    List<String> around(Groundwork.Layers layers, Path bubblewrap, List<String> line) {
        var all = new ArrayList<>(List.of("unshare", "--mount"));
        if (layers.ownUser()) {
            all.addAll(List.of("--user", "--map-root-user"));
        }
        all.addAll(List.of("--", machine.shell().toString(), "-c", SCRIPT, "towtank-root"));
        all.addAll(List.of(layers.directory().toString(), Long.toString(layers.bytes()), layers.options()));
        all.add(bubblewrap.toString());
        all.addAll(line.subList(1, line.size()));
        return all;
    }

    private static String options(LayeredFiles files) {
        var lower = files.upperFirst().stream().map(name -> IMAGE + "/" + name).toList();
        return "userxattr,lowerdir=" + String.join(":", lower) + ",upperdir=layer/upper,workdir=layer/work";
    }
}

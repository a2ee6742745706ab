package dev.towtank.node;

import dev.towtank.node.machine.NamedNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How a node is set up.
///
/// @param directory where it keeps what belongs to pods and claims
/// @param memory a directory whose files are in memory, in which a node makes one of its own for what should not be on
///     a disk
/// @param server the API server, as processes on this machine reach it
/// @param version of this program
/// @param startsAtOnce how many containers are started side by side
/// @param hostPaths directories of this machine that pods may mount
/// @param ownNetworks whether pods may have networks of their own, where this machine allows it
/// @param builders whether containers may make mounts of their own where they ask for it
/// @param nodes Node objects beside the one with the machine's name; one of its name gives that one labels
public record NodeSettings(
        Path directory,
        Optional<Path> memory,
        URI server,
        String version,
        int startsAtOnce,
        List<Path> hostPaths,
        boolean ownNetworks,
        boolean builders,
        List<NamedNode> nodes) {

    static final Path SHARED_MEMORY = Path.of("/dev/shm");

    public NodeSettings {
        hostPaths = List.copyOf(hostPaths);
        nodes = List.copyOf(nodes);
    }

    /// The usual settings.
    public static NodeSettings of(Path directory, URI server, String version) {
        int processors = Runtime.getRuntime().availableProcessors();
        int atOnce = Math.max(4, processors * 2);
        return new NodeSettings(directory, sharedMemory(), server, version, atOnce, List.of(), true, false, List.of());
    }

    public NodeSettings allowing(List<Path> paths) {
        return new NodeSettings(directory, memory, server, version, startsAtOnce, paths, ownNetworks, builders, nodes);
    }

    public NodeSettings named(List<NamedNode> named) {
        return new NodeSettings(
                directory, memory, server, version, startsAtOnce, hostPaths, ownNetworks, builders, named);
    }

    public NodeSettings withOwnNetworks(boolean allowed) {
        return new NodeSettings(directory, memory, server, version, startsAtOnce, hostPaths, allowed, builders, nodes);
    }

    public NodeSettings withBuilders(boolean allowed) {
        return new NodeSettings(
                directory, memory, server, version, startsAtOnce, hostPaths, ownNetworks, allowed, nodes);
    }

    private static Optional<Path> sharedMemory() {
        return SHARED_MEMORY.toFile().canWrite() ? Optional.of(SHARED_MEMORY) : Optional.empty();
    }
}

package dev.towtank.node.images;

import dev.towtank.node.images.store.LayeredFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What stands for an image on this machine.
///
/// @param name as the pod names it
/// @param shell what `/bin/sh` is
/// @param user as in an image: a number, a name, or `user:group`; empty is root
/// @param tools programs that the container finds besides: in `/usr/local/sbin`, by their name there, or at a whole
/// path
/// @param stopSignal by which it wants to be ended, such as `SIGINT`; empty for the usual one
public record Image(
        String name,
        Root root,
        Shell shell,
        List<String> entrypoint,
        List<String> command,
        String user,
        String workingDirectory,
        Map<String, String> environment,
        Map<String, Path> tools,
        String stopSignal) {

    public static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    public Image {
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        tools = Map.copyOf(tools);
    }

    public Image(
            String name,
            Root root,
            Shell shell,
            List<String> entrypoint,
            List<String> command,
            String user,
            String workingDirectory,
            Map<String, String> environment,
            Map<String, Path> tools) {
        this(name, root, shell, entrypoint, command, user, workingDirectory, environment, tools, "");
    }

    /// Where the container's files come from.
    public sealed interface Root {
        /// This machine's own programs and libraries, read-only.
        record Host() implements Root {}

        /// A directory that holds a whole root file system.
        record Directory(Path path) implements Root {}

        /// Layers over each other in the store of images, and a writable one over them.
        ///
        /// @param id the image's name with the digest of its manifest
        record Layers(LayeredFiles files, String id) implements Root {}

        /// In the store of a container engine, which knows it by the image's name.
        record Engine() implements Root {}
    }

    public enum Shell {
        /// Whatever the root has.
        OWN,
        DASH,
        BUSYBOX,
        BASH
    }

    /// The process to run for a container's `command` and `args`, by the rule that the first replaces the
    /// image's entrypoint and command, and the second its command. Empty when there is nothing to run.
    public Optional<List<String>> commandLine(List<String> containerCommand, List<String> containerArguments) {
        var line = new ArrayList<String>(containerCommand.isEmpty() ? entrypoint : containerCommand);
        if (!containerArguments.isEmpty()) {
            line.addAll(containerArguments);
        } else if (containerCommand.isEmpty()) {
            line.addAll(command);
        }
        return line.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(line));
    }
}

package dev.towtank.node.sandbox.machine;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Puts the shell that an image has over this machine's `/bin/sh`: scripts written for one often mean
/// something else in another, without an error.
public final class Shells {

    private static final Pattern APPLET = Pattern.compile("[a-z0-9][a-z0-9_.-]*");

    private final MachineView machine;

    public Shells(MachineView machine) {
        this.machine = machine;
    }

    /// Arguments for bubblewrap.
    public List<String> over(Image.Shell shell, Path kept) throws IOException {
        var program = program(shell);
        if (program.isEmpty() || program.get().equals(machine.shell())) {
            return List.of();
        }
        var arguments = new ArrayList<String>();
        if (!machine.bash().map(Shells::real).equals(Optional.of(machine.shell()))) {
            // sh is a link, so this covers what it leads to: dash, which such an image does not have anyway.
            arguments.addAll(List.of(
                    "--ro-bind", program.get().toString(), machine.shell().toString()));
        }
        if (shell == Image.Shell.BUSYBOX) {
            arguments.addAll(List.of("--symlink", program.get().toString(), "/usr/local/sbin/ash"));
            arguments.addAll(List.of("--ro-bind", programs(program.get(), kept).toString(), "/bin"));
        }
        return arguments;
    }

    /// bash called sh knows all that busybox's shell knows.
    private Optional<Path> program(Image.Shell shell) {
        return switch (shell) {
            case OWN -> Optional.empty();
            case DASH -> MachineView.program("dash").map(Shells::real);
            case BASH -> machine.bash().map(Shells::real);
            case BUSYBOX -> machine.busybox().or(machine::bash).map(Shells::real);
        };
    }

    /// Links to all programs, and to busybox for what this machine does not have (`ash`, `httpd`…): a `/bin` for when
    /// it is named in full.
    private static synchronized Path programs(Path shell, Path kept) throws IOException {
        var directory = kept.resolve("programs-" + shell.getFileName());
        if (Files.isDirectory(directory)) {
            return directory;
        }
        var unfinished = Files.createTempDirectory(kept, "bin");
        Files.createSymbolicLink(unfinished.resolve("ash"), shell);
        try (var names = Files.newDirectoryStream(Path.of("/usr/bin"))) {
            for (var name : names) {
                if (!name.endsWith("ash")) {
                    Files.createSymbolicLink(unfinished.resolve(name.getFileName()), name);
                }
            }
        }
        for (var name : applets(shell)) {
            if (!Files.exists(unfinished.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(unfinished.resolve(name), shell);
            }
        }
        Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
            FileTree.delete(unfinished); // another server was quicker
        }
        return directory;
    }

    private static List<String> applets(Path shell) throws IOException {
        if (!shell.endsWith("busybox")) {
            return List.of();
        }
        var asking = new ProcessBuilder(shell.toString(), "--list");
        asking.environment().clear();
        var said = new String(asking.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said.lines().filter(APPLET.asMatchPredicate()).toList();
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }
}

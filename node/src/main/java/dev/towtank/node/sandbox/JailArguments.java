package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.SystemCallFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What bubblewrap must be told to make a container's world: a root of its own that vanishes with it, the
/// machine's programs read-only in it, and the container's mounts.
final class JailArguments {

    private static final long MOST_ROOT = 1L << 30;
    static final int FIRST_FILE = 7;

    /// Root without capabilities is still the owner of these. Who is not root on the machine is refused
    /// anyway.
    private static final List<String> KEPT_FROM_CHANGES =
            List.of("/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/acpi", "/proc/scsi");

    private static final Set<String> OWN_DIRECTORIES = Set.of("proc", "dev", "sys", "tmp", "run", "root", "home");

    private final Machine machine;
    private final Shells shells;
    private final Path kept;
    private final Optional<SystemCallFilter> filter;
    private final List<String> arguments = new ArrayList<>();

    JailArguments(Machine machine, Shells shells, Path kept, Optional<SystemCallFilter> filter) {
        this.machine = machine;
        this.shells = shells;
        this.kept = kept;
        this.filter = filter;
    }

    /// @param files gets the descriptors of files that the arguments speak of, the first of them as number 7
    List<String> of(ContainerSpec spec, Jail.User user, List<Integer> files) throws IOException {
        namespaces(spec, user);
        long most = Math.min(MOST_ROOT, machine.memoryBytes() / 4);
        add("--size", Long.toString(spec.limits().rootBytes().orElse(most)), "--tmpfs", "/");
        switch (spec.image().root()) {
            case Image.Root.Host() -> hostRoot(spec, user, files);
            case Image.Root.Directory(var path) -> directoryRoot(path);
            case Image.Root.Engine() -> throw new IOException("the image is one of a container engine");
        }
        system();
        tools(spec.image().tools());
        spec.hosts().ifPresent(file -> add("--bind", file.toString(), "/etc/hosts"));
        mounts(spec.mounts());
        // After the mounts: the termination message usually is a file in there.
        add("--remount-ro", "/dev");
        var directory = spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory();
        add("--dir", directory, "--chdir", directory);
        if (spec.readOnlyRoot()) {
            add("--remount-ro", "/");
        }
        if (filter.isPresent() && spec.filtered()) {
            add("--seccomp", Integer.toString(FIRST_FILE + files.size()));
            files.add(Descriptors.memory(filter.get().program()));
        }
        environment(spec, user);
        return arguments;
    }

    private void add(String... more) {
        arguments.addAll(List.of(more));
    }

    private void namespaces(ContainerSpec spec, Jail.User user) {
        add("--disable-userns", "--unshare-pid", "--unshare-ipc", "--hostname", spec.hostname());
        add("--cap-drop", "ALL"); // root would keep them otherwise
        add("--uid", Integer.toString(user.uid()), "--gid", Integer.toString(user.gid()));
        add("--info-fd", "4", "--json-status-fd", "5");
        if (!spec.init() && !spec.tty()) { // who holds a terminal for us is process 1
            add("--as-pid-1");
        }
        if (!spec.network()) {
            add("--unshare-net");
        }
    }

    private void hostRoot(ContainerSpec spec, Jail.User user, List<Integer> files) throws IOException {
        boolean ownPrograms = spec.image().shell() == Image.Shell.BUSYBOX;
        for (var directory : machine.directories()) {
            add("--ro-bind", directory.toString(), directory.toString());
        }
        for (var link : machine.links()) {
            if (!ownPrograms || !link.name().equals("/bin")) {
                add("--symlink", link.target(), link.name());
            }
        }
        if (ownPrograms || !spec.image().tools().isEmpty()) {
            add("--size", "1048576", "--tmpfs", "/usr/local/sbin");
        }
        add("--ro-bind", kept.resolve(MachineSettings.NAME).toString(), MachineSettings.PLACE);
        for (var setting : machine.settings()) {
            add("--symlink", MachineSettings.PLACE + "/" + setting.getFileName(), setting.toString());
        }
        arguments.addAll(shells.over(spec.image().shell(), kept));
        if (ownPrograms && !arguments.contains("/bin")) {
            add("--symlink", "usr/bin", "/bin");
        }
        add("--perms", "0700", "--dir", "/root", "--dir", "/home", "--dir", "/mnt", "--dir", "/opt", "--dir", "/srv");
        add("--dir", "/run", "--symlink", "../run", "/var/run", "--dir", "/var/lib", "--dir", "/var/log");
        add("--perms", "1777", "--dir", "/tmp", "--perms", "1777", "--dir", "/var/tmp");
        add("--symlink", "../usr/lib/os-release", "/etc/os-release");
        for (var file : Settings.of(user, spec.hostname()).entrySet()) {
            add("--file", Integer.toString(FIRST_FILE + files.size()), file.getKey());
            files.add(Descriptors.memory(file.getValue().getBytes(StandardCharsets.UTF_8)));
        }
        if (spec.hosts().isEmpty()) {
            add("--ro-bind-try", "/etc/hosts", "/etc/hosts");
        }
    }

    /// Without an overlay, which this bubblewrap cannot make, only the top of such a root is writable.
    private void directoryRoot(Path root) throws IOException {
        try (var entries = Files.newDirectoryStream(root)) {
            for (var entry : entries) {
                var name = entry.getFileName().toString();
                if (Files.isSymbolicLink(entry)) {
                    add("--symlink", Files.readSymbolicLink(entry).toString(), "/" + name);
                } else if (!OWN_DIRECTORIES.contains(name)) {
                    add("--ro-bind", entry.toString(), "/" + name);
                }
            }
        }
        add("--perms", "0700", "--dir", "/root", "--dir", "/home", "--dir", "/run");
        add("--perms", "1777", "--dir", "/tmp");
        if (Files.isRegularFile(root.resolve("etc/resolv.conf"))) {
            add("--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf");
        }
    }

    private void system() {
        add("--proc", "/proc");
        if (machine.root()) {
            for (var path : KEPT_FROM_CHANGES) {
                if (Files.exists(Path.of(path))) {
                    add("--ro-bind", path, path);
                }
            }
        }
        add("--dev", "/dev", "--perms", "1777", "--size", "67108864", "--tmpfs", "/dev/shm");
    }

    private void tools(Map<String, Path> tools) {
        tools.forEach((name, path) -> {
            var how = path.startsWith("/usr") ? "--symlink" : "--ro-bind"; // what is there already is cheaper
            add(how, path.toString(), "/usr/local/sbin/" + name);
        });
    }

    /// Outer ones first, or they would cover the inner ones.
    private void mounts(List<ContainerSpec.Mount> mounts) {
        var sorted = new ArrayList<>(mounts);
        sorted.sort(Comparator.comparingInt(mount -> Path.of(mount.target()).getNameCount()));
        for (var mount : sorted) {
            add(mount.readOnly() ? "--ro-bind" : "--bind", mount.source().toString(), mount.target());
        }
    }

    private void environment(ContainerSpec spec, Jail.User user) {
        Settings.variables(spec, user).forEach((name, value) -> add("--setenv", name, value));
    }
}

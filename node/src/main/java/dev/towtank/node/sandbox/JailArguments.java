package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.images.store.LayeredFiles;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.SystemCallFilter;
import dev.towtank.node.sandbox.machine.CarriedPrograms;
import dev.towtank.node.sandbox.machine.MachineSettings;
import dev.towtank.node.sandbox.machine.MachineView;
import dev.towtank.node.sandbox.machine.Shells;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /// The first one is on every machine.
    private static final List<String> HIDDEN = List.of(
            "/proc/kmsg",
            "/proc/keys",
            "/proc/key-users",
            "/proc/kcore",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/timer_list",
            "/proc/timer_stats");

    /// The container's own, also when the machine is out of sight already.
    private static final String NOTHING = "/../newroot/dev/null";

    /// All that other engines give to every container, as builders hand it on to what they run, and the right
    /// to mount. A container's user namespace is inside of the one to which its mounts and processes belong, so
    /// these are rights over nothing but its own files, and over mount namespaces that it makes.
    private static final List<String> RIGHTS_OF_BUILDERS = List.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "NET_RAW",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_ADMIN",
            "SYS_CHROOT");

    private static final Set<String> OWN_DIRECTORIES = Set.of("proc", "dev", "sys", "tmp", "run", "root", "home");

    private final MachineView machine;
    private final Shells shells;
    private final Path kept;
    private final MachineSettings settings;
    private final Optional<SystemCallFilter> filter;
    private final ImageRoots roots;
    private final List<String> arguments = new ArrayList<>();
    private final List<Fence.Stop> stops = new ArrayList<>();
    private Optional<FencedMounts> mounts = Optional.empty();

    JailArguments(
            MachineView machine,
            Shells shells,
            Path kept,
            MachineSettings settings,
            Optional<SystemCallFilter> filter,
            ImageRoots roots) {
        this.machine = machine;
        this.shells = shells;
        this.kept = kept;
        this.settings = settings;
        this.filter = filter;
        this.roots = roots;
    }

    /// @param many the user namespaces that a container has to enter if it has several; closed by whoever closes the
    /// files
    /// @param files gets the descriptors of files that the arguments speak of, the first of them as number 7
    List<String> of(ContainerSpec spec, Jail.User user, List<Integer> many, List<Integer> files) throws IOException {
        if (!many.isEmpty()) {
            users(spec, user, many, files);
        } else {
            user(spec, user);
        }
        namespaces(spec);
        switch (spec.command().image().root()) {
            case Image.Root.Host() -> hostRoot(spec, user, files);
            case Image.Root.Directory(var path) -> directoryRoot(path, spec, files);
            case Image.Root.Layers _ -> layeredRoot(spec, files);
            case Image.Root.Engine() -> throw new IOException("the image is one of a container engine");
        }
        system();
        if (spec.command().image().root() instanceof Image.Root.Layers) {
            add("--ro-bind", CarriedPrograms.in(kept).toString(), CarriedPrograms.PLACE);
        }
        tools(spec.command().image().tools(), spec.command().image().root());
        spec.view().hosts().ifPresent(file -> add("--bind", file.toString(), "/etc/hosts"));
        var fenced = fenced(spec);
        mounts = Optional.of(fenced);
        arguments.addAll(fenced.outerArguments());
        if (fenced.areNested()) {
            stop(Fence.What.SOURCES, "/../looked", files);
            arguments.addAll(fenced.innerArguments());
        }
        // After the mounts: the termination message usually is a file in there.
        add("--remount-ro", "/dev");
        var directory = spec.command().workingDirectory().isEmpty()
                ? "/"
                : spec.command().workingDirectory();
        fenced.toMake(directory).ifPresent(path -> add("--dir", path));
        add("--chdir", directory);
        if (spec.view().readOnlyRoot()) {
            add("--remount-ro", "/");
        }
        hide(files);
        filter(spec, files);
        environment(spec, user);
        return arguments;
    }

    private void filter(ContainerSpec spec, List<Integer> files) throws IOException {
        boolean builds = spec.bounds().calls() == ContainerSpec.Calls.BUILDING;
        if (builds && filter.isEmpty()) {
            throw new IOException("images are built under a filter of system calls, and this machine has none");
        }
        if (filter.isPresent() && spec.bounds().calls() != ContainerSpec.Calls.ALL) {
            add("--seccomp", Integer.toString(FIRST_FILE + files.size()));
            var held = builds ? filter.get().building() : filter.get();
            files.add(Descriptors.memory(held.program()));
        }
    }

    private void add(String... more) {
        arguments.addAll(List.of(more));
    }

    /// One, in a user namespace of the container's own.
    private void user(ContainerSpec spec, Jail.User user) {
        add("--unshare-user", "--disable-userns", "--cap-drop", "ALL"); // root would keep them otherwise
        if (spec.bounds().calls() == ContainerSpec.Calls.BUILDING) {
            RIGHTS_OF_BUILDERS.forEach(right -> add("--cap-add", "CAP_" + right));
        }
        add("--uid", Integer.toString(user.uid()), "--gid", Integer.toString(user.gid()));
    }

    /// Root and all others. All else is made in the user namespace around the last one: so rights in there are over
    /// files and users alone. Their descriptors stay open inside, where they lead nowhere new.
    private void users(ContainerSpec spec, Jail.User user, List<Integer> namespaces, List<Integer> files) {
        for (int i = 0; i < namespaces.size(); i++) {
            boolean last = i == namespaces.size() - 1;
            add(last ? "--userns2" : "--userns", Integer.toString(FIRST_FILE + files.size()));
            files.add(namespaces.get(i));
        }
        add("--cap-drop", "ALL");
        if (user.uid() == 0) {
            spec.bounds().rights().stream().sorted().forEach(right -> add("--cap-add", "CAP_" + right));
        }
    }

    private void namespaces(ContainerSpec spec) {
        add("--unshare-pid", "--unshare-ipc", "--hostname", spec.view().hostname());
        add("--info-fd", "4", "--json-status-fd", "5");
        if (!spec.command().init() && !spec.streams().tty()) { // who holds a terminal for us is process 1
            add("--as-pid-1");
        }
        if (spec.view().network() instanceof ContainerSpec.Network.None) {
            add("--unshare-net");
        }
    }

    /// How much a container may write outside of its mounts.
    static long rootBytes(ContainerSpec spec, MachineView machine) {
        return spec.bounds().limits().rootBytes().orElse(Math.min(MOST_ROOT, machine.memoryBytes() / 4));
    }

    private void emptyRoot(ContainerSpec spec) {
        add("--size", Long.toString(rootBytes(spec, machine)), "--tmpfs", "/");
    }

    /// By the time that bubblewrap begins it is there. The places of these files are no links: see the uppermost layer.
    private void layeredRoot(ContainerSpec spec, List<Integer> files) throws IOException {
        add("--bind", roots.place(spec).toString(), "/");
        file("/etc/resolv.conf", Settings.resolver(spec), files);
        file("/etc/hostname", spec.view().hostname() + "\n", files);
        if (spec.view().hosts().isEmpty()) {
            add("--ro-bind-try", "/etc/hosts", "/etc/hosts");
        }
    }

    private void file(String place, String content, List<Integer> files) throws IOException {
        add("--perms", "0644", "--ro-bind-data", Integer.toString(FIRST_FILE + files.size()), place);
        files.add(Descriptors.memory(content.getBytes(StandardCharsets.UTF_8)));
    }

    private void hostRoot(ContainerSpec spec, Jail.User user, List<Integer> files) throws IOException {
        emptyRoot(spec);
        boolean ownPrograms = spec.command().image().shell() == Image.Shell.BUSYBOX;
        for (var directory : machine.directories()) {
            add("--ro-bind", directory.toString(), directory.toString());
        }
        for (var link : machine.links()) {
            if (!ownPrograms || !link.name().equals("/bin")) {
                add("--symlink", link.target(), link.name());
            }
        }
        if (ownPrograms || !spec.command().image().tools().isEmpty()) {
            add("--size", "1048576", "--tmpfs", "/usr/local/sbin");
        }
        var copied = settings.current();
        add("--ro-bind", copied.directory().toString(), MachineSettings.PLACE);
        copied.names().forEach(name -> add("--symlink", MachineSettings.PLACE + "/" + name, "/etc/" + name));
        arguments.addAll(shells.over(spec.command().image().shell(), kept));
        if (ownPrograms && !arguments.contains("/bin")) {
            add("--symlink", "usr/bin", "/bin");
        }
        add("--perms", "0700", "--dir", "/root", "--dir", "/home", "--dir", "/mnt", "--dir", "/opt", "--dir", "/srv");
        // A real image has its own directory wherever a container begins: the home of a git that is told to use it.
        var usual = spec.command().image().workingDirectory();
        if (!usual.isEmpty()) {
            RootPaths.check(usual);
            add("--dir", usual);
        }
        add("--dir", "/run", "--symlink", "../run", "/var/run", "--dir", "/var/lib", "--dir", "/var/log");
        add("--perms", "1777", "--dir", "/tmp", "--perms", "1777", "--dir", "/var/tmp");
        add("--symlink", "../usr/lib/os-release", "/etc/os-release");
        for (var file : Settings.of(user, spec).entrySet()) {
            add("--file", Integer.toString(FIRST_FILE + files.size()), file.getKey());
            files.add(Descriptors.memory(file.getValue().getBytes(StandardCharsets.UTF_8)));
        }
        if (spec.view().hosts().isEmpty()) {
            add("--ro-bind-try", "/etc/hosts", "/etc/hosts");
        }
    }

    /// Without an overlay, which this bubblewrap cannot make, only the top of such a root is writable.
    private void directoryRoot(Path root, ContainerSpec spec, List<Integer> files) throws IOException {
        emptyRoot(spec);
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
            if (spec.view().network() instanceof ContainerSpec.Network.Own own) {
                file("/etc/resolv.conf", own.resolver(), files);
            } else {
                add("--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf");
            }
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

    private void tools(Map<String, Path> tools, Image.Root root) throws IOException {
        var opened = new HashSet<Path>();
        for (var tool : tools.entrySet()) {
            var path = tool.getValue();
            var place = Path.of("/usr/local/sbin").resolve(tool.getKey()); // a whole path stays what it is
            var directory = Objects.requireNonNull(place.getParent());
            if (root instanceof Image.Root.Host && !isTop(place)) {
                if (Files.exists(place) || !Files.isDirectory(directory)) {
                    continue;
                }
                if (opened.add(directory)) {
                    open(directory);
                }
            }
            var how = path.startsWith("/usr") ? "--symlink" : "--ro-bind"; // what is there already is cheaper
            add(how, path.toString(), place.toString());
        }
    }

    private boolean isTop(Path place) {
        return place.startsWith("/usr/local/sbin")
                || machine.directories().stream().noneMatch(place::startsWith);
    }

    /// The directory is this machine's and cannot be written: one with the same in it takes its place.
    private void open(Path directory) throws IOException {
        add("--size", "1048576", "--tmpfs", directory.toString());
        try (var entries = Files.newDirectoryStream(directory)) {
            for (var entry : entries) {
                if (Files.isSymbolicLink(entry)) {
                    add("--symlink", Files.readSymbolicLink(entry).toString(), entry.toString());
                } else {
                    add("--ro-bind-try", entry.toString(), entry.toString());
                }
            }
        }
    }

    /// Where paths of the container lead, as far as its root is made by now.
    private FencedMounts fenced(ContainerSpec spec) throws IOException {
        var links = new HashMap<String, String>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals("--symlink")) {
                links.put(arguments.get(i + 2), arguments.get(i + 1));
            }
        }
        var directories = new HashMap<String, Path>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals("--ro-bind")) {
                directories.put(arguments.get(i + 2), Path.of(arguments.get(i + 1)));
            }
        }
        var layers = spec.command().image().root() instanceof Image.Root.Layers(var files, var _)
                ? Optional.of(files)
                : Optional.<LayeredFiles>empty();
        return FencedMounts.of(spec.view().mounts(), new RootPaths(links, directories, layers));
    }

    /// What tells of the machine and its other users. At the last of these all mounts are made. Who builds images
    /// hides the same once more, and nothing can be mounted over a file that has no name, as those of data are.
    private void hide(List<Integer> files) throws IOException {
        var hidden = HIDDEN.stream().filter(this::isToBeHidden).toList();
        for (var path : hidden.subList(1, hidden.size())) {
            add("--dev-bind-try", NOTHING, path); // or it would look before it has made it
        }
        stop(Fence.What.ALL, hidden.getFirst(), files);
    }

    /// What the server itself may not read its containers cannot read either, and every mount takes time.
    private boolean isToBeHidden(String path) {
        return path.equals(HIDDEN.getFirst())
                || (machine.root() ? Files.exists(Path.of(path)) : Files.isReadable(Path.of(path)));
    }

    /// A file that is read from a pipe: when somebody begins to read there, all that was asked for before is done,
    /// and until the pipe ends nobody goes on.
    private void stop(Fence.What what, String place, List<Integer> files) throws IOException {
        var pipe = Descriptors.fullPipe();
        stops.add(new Fence.Stop(what, pipe.writeEnd()));
        add("--ro-bind-data", Integer.toString(FIRST_FILE + files.size()), place);
        files.add(pipe.readEnd());
    }

    /// What is to be seen to before the command begins.
    Optional<Fence> fence() {
        return mounts.map(all -> new Fence(stops, all));
    }

    private void environment(ContainerSpec spec, Jail.User user) {
        Settings.variables(spec, user).forEach((name, value) -> add("--setenv", name, value));
    }
}

package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.OpenDirectory;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.SpawningThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Bounds what all processes of a container use together, where this process may make cgroups: version 2, or
/// the older kind with a hierarchy for each controller.
final class Cgroups {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String NAME = "towtank";

    /// Bounds that somebody else sets need not be set.
    private static final List<String> CONTROLLERS = List.of("pids", "memory", "cpu");

    /// How names of groups begin that no container has yet.
    private static final String READY = "ready-";

    private final Optional<Delegation> unified;
    private final Map<String, Path> bases;

    /// Groups of containers that are not called like them.
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /// Groups that could not be removed yet.
    private final Set<Path> left = ConcurrentHashMap.newKeySet();

    /// What this server made for a container that is not removed yet: nobody need look for it.
    private final Map<String, Set<Path>> made = new ConcurrentHashMap<>();

    /// @param unified where groups of version 2 are made
    private Cgroups(Optional<Delegation> unified, Map<String, Path> bases) {
        this.unified = unified;
        this.bases = bases;
    }

    static Cgroups without() {
        return new Cgroups(Optional.empty(), Map.of());
    }

    /// @param server tells several servers on one machine apart
    static Cgroups find(String server) {
        try {
            boolean unified = Files.exists(ROOT.resolve("cgroup.controllers"));
            return unified ? unified(server) : older(server);
        } catch (IOException e) {
            return without();
        }
    }

    private static Cgroups unified(String server) throws IOException {
        var found = Delegation.find(ROOT, CONTROLLERS);
        if (found.isEmpty()) {
            return without();
        }
        var base = found.get().home().resolve(NAME + "-" + server);
        make(base);
        var bases = new LinkedHashMap<String, Path>();
        Delegation.enable(base, found.get().controllers()).forEach(controller -> bases.put(controller, base));
        return new Cgroups(found, bases);
    }

    private static Cgroups older(String server) throws IOException {
        var bases = new LinkedHashMap<String, Path>();
        for (var line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            var parts = line.split(":", 3);
            for (var controller : parts[1].split(",", -1)) {
                var mount = ROOT.resolve(controller);
                if (CONTROLLERS.contains(controller) && Files.isDirectory(mount)) {
                    var base = mount.resolve(parts[2].substring(1)).resolve(NAME + "-" + server);
                    Files.createDirectories(base);
                    bases.put(controller, base);
                }
            }
        }
        return bases.keySet().containsAll(CONTROLLERS) ? new Cgroups(Optional.empty(), bases) : without();
    }

    boolean none() {
        return bases.isEmpty();
    }

    boolean boundCpu() {
        return bases.containsKey("cpu");
    }

    /// Whether a thread of ours can be in other groups than its process.
    boolean takeThreads() {
        return !none() && unified.isEmpty();
    }

    /// Makes the groups of a container that nobody is in yet.
    void make(String id, ContainerSpec.Limits limits, long processes) throws IOException {
        var groups = new LinkedHashSet<Path>();
        for (var file : values(id, limits, processes).keySet()) {
            if (groups.add(parent(file))) {
                make(parent(file));
            }
        }
        made.put(id, groups);
    }

    /// Sets what the container may use, in its groups that are there already.
    void bound(String id, ContainerSpec.Limits limits, long processes) throws IOException {
        for (var value : values(id, limits, processes).entrySet()) {
            write(value.getKey(), value.getValue());
        }
    }

    /// Likewise for a container that runs, be it one that an earlier server started.
    void rebound(String id, ContainerSpec.Limits limits, long processes) throws IOException {
        bound(group(id), limits, processes);
    }

    /// The container's groups, for a thread to start something there that is in them from its first moment. A
    /// thread that moves itself makes nobody wait. Empty where groups take whole processes only.
    Optional<Place> place(String id) {
        var groups = made.get(id);
        return takeThreads()
                ? Optional.of(new Place(groups == null ? directories(id) : List.copyOf(groups)))
                : Optional.empty();
    }

    /// @param groups below those in which the server is
    record Place(List<Path> groups) implements SpawningThread.Place {

        private static final String TASKS = "tasks";
        private static final String MYSELF = "0";

        Place {
            groups = List.copyOf(groups);
        }

        @Override
        public void enter() throws IOException {
            for (var group : groups) {
                write(group.resolve(TASKS), MYSELF);
            }
        }

        @Override
        public void leave() throws IOException {
            for (var group : groups) {
                write(parent(parent(group)).resolve(TASKS), MYSELF);
            }
        }
    }

    /// Makes a cgroup and puts a process into it, whose future children will be in it, too.
    void contain(String id, int pid, ContainerSpec.Limits limits, long processes) throws IOException {
        if (!none()) {
            made.put(id, set(pid, values(id, limits, processes), Set.of()));
        }
    }

    /// Puts a process into a group that no container has yet. The kernel moves a process only when all others let it,
    /// often after ten milliseconds: better before a container waits for it.
    ///
    /// @return the group, for [#give]
    String reserve(int pid, long processes) throws IOException {
        var name = READY + pid;
        set(pid, values(name, ContainerSpec.Limits.none(), processes), Set.of());
        return name;
    }

    /// From now on the container has this group and the process in it.
    void give(String id, String group, int pid, ContainerSpec.Limits limits, long processes) throws IOException {
        names.put(id, group);
        made.put(id, set(pid, values(group, limits, processes), Set.copyOf(directories(id))));
    }

    /// How the container's group is called, which the next server must [#know]: with its whole path where that
    /// server may have another place for groups.
    String group(String id) {
        var name = names.getOrDefault(id, id);
        return unified.isPresent() ? base("memory").resolve(name).toString() : name;
    }

    void know(String id, String group) {
        names.put(id, group);
    }

    private Map<Path, String> values(String group, ContainerSpec.Limits limits, long processes) {
        var values = new LinkedHashMap<Path, String>();
        values.put(
                file("pids", group, "pids.max"),
                Long.toString(limits.processes().orElse(processes)));
        boolean two = unified.isPresent();
        limits.memoryBytes().ifPresent(bytes -> {
            values.put(file("memory", group, two ? "memory.max" : "memory.limit_in_bytes"), Long.toString(bytes));
            if (two) { // all or nobody: half a container helps nobody, and kubelets do the same
                values.put(file("memory", group, "memory.oom.group"), "1");
            }
        });
        var cpu = boundCpu() ? limits.cpuMillis() : OptionalLong.empty();
        cpu.ifPresent(millis -> {
            long period = 100_000;
            long quota = Math.max(1000, millis * period / 1000);
            values.put(
                    file("cpu", group, two ? "cpu.max" : "cpu.cfs_quota_us"),
                    two ? quota + " " + period : Long.toString(quota));
        });
        return values;
    }

    /// @param joined where the process is already
    /// @return all that it is in now
    private static Set<Path> set(int pid, Map<Path, String> values, Set<Path> joined) throws IOException {
        var directories = new LinkedHashSet<Path>();
        for (var value : values.entrySet()) {
            var directory = parent(value.getKey());
            if (directories.add(directory)) {
                make(directory);
            }
            write(value.getKey(), value.getValue());
        }
        for (var directory : directories) {
            if (!joined.contains(directory)) {
                write(directory.resolve("cgroup.procs"), Integer.toString(pid));
            }
        }
        directories.addAll(joined);
        return directories;
    }

    /// Puts one more process into the container's cgroups, unless it has ended before the kernel comes to move it.
    void join(String id, int pid) throws IOException {
        for (var directory : directories(id)) {
            try {
                write(directory.resolve("cgroup.procs"), Integer.toString(pid));
            } catch (IOException e) {
                if (Processes.started(pid).isPresent()) {
                    throw e;
                }
            }
        }
    }

    /// One of the processes in it.
    OptionalInt member(String id) throws IOException {
        for (var directory : directories(id)) {
            for (var line : Files.readAllLines(directory.resolve("cgroup.procs"))) {
                int pid = Integer.parseInt(line.strip());
                // A thread of ours may be there to start something.
                if (pid != ProcessHandle.current().pid()
                        && Processes.started(pid).isPresent()) {
                    return OptionalInt.of(pid);
                }
            }
        }
        return OptionalInt.empty();
    }

    boolean ranOutOfMemory(String id) {
        var base = Optional.ofNullable(bases.get("memory"));
        var file = base.map(
                path -> path.resolve(group(id)).resolve(unified.isPresent() ? "memory.events" : "memory.oom_control"));
        if (file.isEmpty() || !Files.exists(file.get())) {
            return false;
        }
        try (var lines = Files.lines(file.get())) {
            return lines.anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
        } catch (IOException e) {
            return false;
        }
    }

    /// False when a process is still in it.
    boolean remove(String id) {
        left.removeIf(Cgroups::removed);
        boolean removed = true;
        var groups = made.remove(id);
        for (var directory : groups == null ? possible(id) : groups) {
            if (!removed(directory)) {
                left.add(directory);
                removed = false;
            } else if (!bases.containsValue(parent(directory))) {
                var _ = removed(parent(directory)); // an earlier server's, if this was the last one in it
            }
        }
        if (removed) {
            names.remove(id);
        }
        return removed;
    }

    private static boolean removed(Path group) {
        return OpenDirectory.HERE.removeEmpty(group.toString());
    }

    /// Groups that an earlier server made and did not come to give away.
    void removeReserved() {
        for (var base : bases.values()) {
            try (var groups = Files.newDirectoryStream(base, READY + "*")) {
                for (var group : groups) {
                    if (Files.readString(group.resolve("cgroup.procs")).isBlank()) {
                        Files.deleteIfExists(group);
                    }
                }
            } catch (IOException e) {
                // an empty group that is left does no harm
            }
        }
    }

    /// One that nobody is in any more.
    void removeReserved(String name) {
        bases.values().forEach(base -> {
            var _ = removed(base.resolve(name));
        });
    }

    /// When no container is left.
    void removeAll() {
        left.removeIf(Cgroups::removed);
        for (var base : bases.values()) {
            try {
                Files.deleteIfExists(base);
            } catch (IOException e) {
                // somebody is still in it, and whoever finds it next will remove it
            }
        }
        unified.ifPresent(Delegation::close);
    }

    static void make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            // of another controller of the same kind of hierarchy, or left by an earlier server
        }
    }

    private List<Path> directories(String id) {
        return possible(id).stream().filter(Files::isDirectory).toList();
    }

    private Set<Path> possible(String id) {
        var group = group(id);
        var all = new LinkedHashSet<Path>();
        bases.values().forEach(base -> all.add(base.resolve(group)));
        return all;
    }

    private Path file(String controller, String id, String name) {
        return base(controller).resolve(id).resolve(name);
    }

    private Path base(String controller) {
        var base = bases.get(controller);
        if (base == null) {
            throw new IllegalStateException("no cgroup controller " + controller);
        }
        return base;
    }

    static Path parent(Path file) {
        var parent = file.getParent();
        return parent == null ? file : parent;
    }

    static void write(Path file, String value) throws IOException {
        int descriptor = Descriptors.open(file, Descriptors.WRITE_ONLY, 0);
        try {
            Descriptors.write(descriptor, value.getBytes(StandardCharsets.US_ASCII));
        } finally {
            Descriptors.close(descriptor);
        }
    }
}

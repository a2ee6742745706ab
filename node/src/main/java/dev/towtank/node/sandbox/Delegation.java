package dev.towtank.node.sandbox;

import dev.towtank.node.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where this process may make cgroups of version 2: in a group that was delegated to it, at the top of the tree,
/// or in its own group. The kernel lets no process be in a group with bounded groups in it, so those of our own
/// group move aside first.
///
/// @param home in which groups may be made
/// @param aside the group into which its processes moved, if there are any
/// @param controllers what can be bounded there
record Delegation(Path home, Optional<Path> aside, List<String> controllers) {

    private static final String SERVERS = "towtank-servers";
    private static final String PROCESSES = "cgroup.procs";
    private static final String SUBTREE = "cgroup.subtree_control";

    /// Nobody starts processes there all the time.
    private static final int MOST_ROUNDS = 20;

    /// What was seen of a group.
    ///
    /// @param name its last name
    /// @param marked systemd says that it belongs to whoever runs in it
    /// @param writable by this process
    /// @param alone no other process is in it
    record Seen(String name, boolean marked, boolean writable, boolean alone) {}

    /// What was seen of the top of the tree, as far as this process can see it.
    ///
    /// @param whole it is that of the machine, where processes and groups may be side by side
    record Top(boolean whole, boolean writable) {}

    /// Where groups are made.
    enum Choice {
        OWN,
        PARENT,
        TOP,
        NOWHERE
    }

    /// @param own the group in which this process is; empty at the top
    static Choice choose(Optional<Seen> own, Optional<Seen> parent, Top top) {
        if (own.filter(it -> it.marked() && it.writable()).isPresent()) {
            return Choice.OWN;
        }
        boolean setAside = own.filter(it -> it.name().equals(SERVERS)).isPresent();
        if (parent.filter(it -> (it.marked() || setAside) && it.writable()).isPresent()) {
            return Choice.PARENT;
        }
        // Without a mark it may be a login's: there we move nobody. But all of a container's tree is ours.
        boolean atTop = own.isEmpty() || (setAside && parent.isEmpty());
        if (top.writable() && (top.whole() || atTop)) {
            return Choice.TOP;
        }
        return own.filter(it -> it.writable() && it.alone()).isPresent() ? Choice.OWN : Choice.NOWHERE;
    }

    /// Makes a place for groups. Empty where there is none, or less than processes and memory can be bounded.
    static Optional<Delegation> find(Path root, List<String> wanted) throws IOException {
        var own = own(root);
        if (own.isEmpty()) {
            return Optional.empty();
        }
        var path = own.get();
        var parent = path.equals(root) ? root : Cgroups.parent(path);
        var top = new Top(!Files.exists(root.resolve("cgroup.type")), writable(root));
        var home = switch (choose(seen(path, root), seen(parent, root), top)) {
            case OWN -> path;
            case PARENT -> parent;
            case TOP -> root;
            case NOWHERE -> null;
        };
        if (home == null) {
            return Optional.empty();
        }
        boolean crowded = !(home.equals(root) && top.whole());
        var aside = crowded ? Optional.of(home.equals(path) ? home.resolve(SERVERS) : path) : Optional.<Path>empty();
        return open(new Delegation(home, aside, available(home, wanted)));
    }

    private static Optional<Path> own(Path root) throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            if (line.startsWith("0::/") && !line.contains("..")) {
                return Optional.of(root.resolve(line.substring("0::/".length())));
            }
        }
        return Optional.empty();
    }

    private static Optional<Seen> seen(Path group, Path root) throws IOException {
        if (group.equals(root)) {
            return Optional.empty();
        }
        var members = Files.readAllLines(group.resolve(PROCESSES));
        return Optional.of(new Seen(
                String.valueOf(group.getFileName()),
                marked(group),
                writable(group),
                members.equals(List.of(Long.toString(ProcessHandle.current().pid())))));
    }

    private static boolean marked(Path group) throws IOException {
        var attributes = Files.getFileAttributeView(group, UserDefinedFileAttributeView.class);
        return attributes != null && attributes.list().contains("delegate");
    }

    private static boolean writable(Path group) {
        return Files.isWritable(group)
                && Files.isWritable(group.resolve(PROCESSES))
                && Files.isWritable(group.resolve(SUBTREE));
    }

    private static List<String> available(Path home, List<String> wanted) throws IOException {
        var there = List.of(
                Files.readString(home.resolve("cgroup.controllers")).strip().split(" ", -1));
        return wanted.stream().filter(there::contains).toList();
    }

    private static Optional<Delegation> open(Delegation found) throws IOException {
        if (!found.controllers.containsAll(List.of("pids", "memory"))) {
            return Optional.empty();
        }
        try {
            if (found.aside.isPresent()) {
                Cgroups.make(found.aside.get());
                moveAll(found.home, found.aside.get());
            }
            return Optional.of(new Delegation(found.home, found.aside, enable(found.home, found.controllers)));
        } catch (IOException e) {
            found.close();
            throw e;
        }
    }

    private static void moveAll(Path from, Path to) throws IOException {
        for (int round = 0; !move(from, to); round++) {
            if (round == MOST_ROUNDS) {
                throw new IOException("processes are still started in " + from);
            }
        }
    }

    /// True when nobody was left to move.
    private static boolean move(Path from, Path to) throws IOException {
        var members = Files.readAllLines(from.resolve(PROCESSES));
        for (var member : members) {
            try {
                Cgroups.write(to.resolve(PROCESSES), member);
            } catch (LinuxException e) {
                if (!e.is(LinuxException.ESRCH)) {
                    throw e;
                }
            }
        }
        return members.isEmpty();
    }

    /// Lets groups inside be bounded. What is not needed may fail.
    static List<String> enable(Path group, List<String> controllers) throws IOException {
        var enabled = new ArrayList<String>();
        for (var controller : controllers) {
            try {
                Cgroups.write(group.resolve(SUBTREE), "+" + controller);
                enabled.add(controller);
            } catch (LinuxException e) {
                if (!controller.equals("cpu")) { // refused where processes with real-time priority run
                    throw e;
                }
            }
        }
        return enabled;
    }

    /// Leaves the home as it was, unless somebody else still has groups in it.
    void close() {
        if (aside.isEmpty() || !aside.get().equals(home.resolve(SERVERS))) {
            return;
        }
        try {
            for (var controller : controllers) {
                Cgroups.write(home.resolve(SUBTREE), "-" + controller);
            }
            moveAll(aside.get(), home);
            Files.deleteIfExists(aside.get());
        } catch (IOException e) {
            // another server's groups are there
        }
    }
}

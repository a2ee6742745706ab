package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a process does before it becomes the program that it is started for: it goes into a network, puts the
/// layers of an image over each other, and becomes one of several users. An [Envoy] does it, so that no further program
/// runs on the way; the process keeps its number, its cgroups and its domain.
///
/// @param network which must be entered from the user namespace that it belongs to
public record Groundwork(Optional<NetworkNamespace> network, Optional<Layers> layers, Optional<Becoming> becoming) {

    private static final int NEW_MOUNTS = 0x20000;
    private static final int NEW_NETWORK = 0x40000000;
    private static final int NEW_USER = 0x10000000;
    private static final int OWN_DESCRIPTORS = 0x400;
    private static final int PRIVATE = 0x4000 | 0x40000; // MS_REC, MS_PRIVATE
    private static final int HERE = -100; // AT_FDCWD
    private static final int WRITE_ONLY = 1 | 0x80000;
    private static final int PATH_ONLY = 0x200000 | 0x10000 | 0x80000; // O_PATH, O_DIRECTORY, O_CLOEXEC
    private static final int NO_FOLLOW = 0x100; // AT_SYMLINK_NOFOLLOW
    private static final int SET_DUMPABLE = 4; // PR_SET_DUMPABLE
    private static final int FIRST_SAFE = 64;
    private static final int MODE = 0755;

    /// Those that this process may ignore, or that end a program.
    private static final List<Integer> SIGNALS = List.of(1, 2, 3, 13, 15, 17, 20, 21, 22);

    /// In a mount namespace of the process, which ends with it.
    ///
    /// @param directory where they are mounted, below `layer`
    /// @param bytes how many the writable one may hold, in memory
    /// @param options of the kernel's overlay, with paths relative to the directory
    /// @param rights of whoever mounts
    /// @param owners of files of the image that are not root's, on this machine
    public record Layers(Path directory, long bytes, String options, Rights rights, List<Owner> owners) {
        public Layers {
            owners = List.copyOf(owners);
        }
    }

    public sealed interface Rights {
        /// The server's own, or those over the network that it has entered.
        record Had() implements Rights {}

        /// In a user namespace that the process makes for itself, with one user.
        record Made() implements Rights {}

        /// In a user namespace that is there.
        record Entered(int namespace) implements Rights {}
    }

    /// Who the process is from then on.
    ///
    /// @param namespace of users, from which the mounts of before cannot be undone; root has rights there, others
    ///     none
    /// @param groups further ones
    public record Becoming(int namespace, int user, int group, List<Integer> groups) {
        public Becoming {
            groups = List.copyOf(groups);
        }

        void in(Envoy envoy) {
            var numbers = ByteBuffer.allocate(groups.size() * Integer.BYTES).order(ByteOrder.nativeOrder());
            groups.forEach(numbers::putInt);
            envoy.then("enter a user namespace", Call.SETNS, namespace, NEW_USER)
                    .then("have the groups " + groups, Call.SETGROUPS, groups.size(), numbers.array())
                    .then("have the group " + group, Call.SETRESGID, group, group, group);
            if (user != 0) {
                envoy.then("become the user " + user, Call.SETRESUID, user, user, user);
            }
            // Else files in /proc of this very server would be root's from now on: it is its memory still.
            envoy.then("be open to whoever has rights", Call.PRCTL, SET_DUMPABLE, 1, 0, 0, 0);
        }
    }

    /// @param path from the root on, without a slash at its begin
    public record Owner(String path, long user, long group) {}

    /// @see Spawn#start
    int start(Spawn.Program program) throws IOException {
        var held = new ArrayList<Integer>();
        try {
            var envoy = new Envoy().then("have descriptors of its own", Call.UNSHARE, OWN_DESCRIPTORS);
            envoy.then("have a session of its own", Call.SETSID);
            network.ifPresent(it -> enter(envoy, it));
            layers.ifPresent(it -> mount(envoy, it));
            becoming.ifPresent(it -> it.in(envoy));
            hand(envoy, program, held);
            for (int signal : SIGNALS) {
                envoy.then("forget a signal", Call.RT_SIGACTION, signal, new byte[32], 0, 8);
            }
            return envoy.then("let signals in", Call.RT_SIGPROCMASK, 2, new byte[8], 0, 8)
                    .then(
                            "start " + program.program(),
                            Call.EXECVE,
                            program.program().toString(),
                            program.arguments(),
                            program.environment())
                    .start();
        } finally {
            held.forEach(Descriptors::close);
        }
    }

    private static void enter(Envoy envoy, NetworkNamespace network) {
        network.owner().ifPresent(user -> envoy.then("enter a user namespace", Call.SETNS, user, NEW_USER));
        envoy.then("enter a network namespace", Call.SETNS, network.descriptor(), NEW_NETWORK);
    }

    private static void mount(Envoy envoy, Layers layers) {
        switch (layers.rights) {
            case Rights.Had() -> {}
            case Rights.Made() -> {
                envoy.then("make a user namespace", Call.UNSHARE, NEW_USER);
                write(envoy, "setgroups", "deny");
                write(envoy, "uid_map", "0 " + Processes.user() + " 1\n");
                write(envoy, "gid_map", "0 " + Processes.group() + " 1\n");
            }
            case Rights.Entered(int namespace) -> envoy.then("enter a user namespace", Call.SETNS, namespace, NEW_USER);
        }
        var room = "size=" + layers.bytes + ",mode=0755";
        envoy.then("make a mount namespace", Call.UNSHARE, NEW_MOUNTS)
                .then("keep mounts apart", Call.MOUNT, "none", "/", 0, PRIVATE, 0)
                .then("enter " + layers.directory, Call.CHDIR, layers.directory.toString())
                .then("make room for a root", Call.MOUNT, "tmpfs", "layer", "tmpfs", 0, room)
                .then("make a layer", Call.MKDIRAT, HERE, "layer/upper", MODE)
                .then("make a layer", Call.MKDIRAT, HERE, "layer/work", MODE)
                .then("make a root", Call.MKDIRAT, HERE, "layer/root", MODE)
                .then(
                        "put the layers of the image over each other",
                        Call.MOUNT,
                        "overlay",
                        "layer/root",
                        "overlay",
                        0,
                        layers.options);
        if (!layers.owners.isEmpty()) {
            giveBack(envoy, layers.owners);
        }
    }

    /// What belongs to whom is not in the layers, which are all the server's. No way in an image leads out of its root,
    /// as there is no other one meanwhile.
    private static void giveBack(Envoy envoy, List<Owner> owners) {
        int home = envoy.lines();
        envoy.then("remember the root", Call.OPENAT, HERE, "/", PATH_ONLY, 0)
                .then("enter the image", Call.CHDIR, "layer/root")
                .then("have the image alone", Call.CHROOT, ".");
        for (var owner : owners) {
            envoy.then(
                    "give " + owner.path + " back",
                    Call.FCHOWNAT,
                    HERE,
                    owner.path,
                    owner.user,
                    owner.group,
                    NO_FOLLOW);
        }
        envoy.then("leave the image", Call.FCHDIR, new Envoy.Gave(home)).then("leave the image", Call.CHROOT, ".");
    }

    private static void write(Envoy envoy, String file, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        int opened = envoy.lines();
        envoy.then("open " + file, Call.OPENAT, HERE, "/proc/self/" + file, WRITE_ONLY, 0)
                .then("write " + file, Call.WRITE, new Envoy.Gave(opened), bytes, bytes.length);
    }

    /// What is ours and has a low number is opened again: else it could be replaced before its turn.
    private static void hand(Envoy envoy, Spawn.Program program, List<Integer> held) throws IOException {
        var ours = new ArrayList<Integer>();
        if (program.terminal().isPresent()) {
            int flags = Descriptors.READ_WRITE | Descriptors.NO_CONTROLLING_TERMINAL;
            int terminal = Descriptors.open(program.terminal().get(), flags, 0);
            held.add(terminal);
            ours.addAll(List.of(terminal, terminal, terminal));
        }
        ours.addAll(program.descriptors());
        for (int i = 0; i < ours.size(); i++) {
            int from = ours.get(i);
            if (from < FIRST_SAFE) {
                from = Descriptors.duplicate(from, FIRST_SAFE);
                held.add(from);
            }
            envoy.then("hand over a descriptor", Call.DUP3, from, i, 0);
        }
        envoy.then("close the others", Call.CLOSE_RANGE, ours.size(), 0xffff_ffffL, 0);
        program.directory().ifPresent(it -> envoy.then("enter " + it, Call.CHDIR, it.toString()));
    }
}

package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A program for the kernel that refuses system calls which no container needs and which have often been the way out
/// of one. What it refuses is what other engines refuse by default, and what was still to be invented when this was
/// written; all else is left to capabilities and namespaces.
///
/// @param refused numbers of calls that fail with EPERM
/// @param builds whether whoever is held may make mounts of its own
public record SystemCallFilter(Architecture architecture, List<Integer> refused, boolean builds) {

    /// As the kernel tells it with every call, and its numbers of calls at whose arguments one must look.
    public enum Architecture {
        X86(0xc000003e, 41, 56, 272, 116),
        ARM(0xc00000b7, 198, 220, 97, 159);

        private final int number;
        private final int socketCall;
        private final int cloneCall;
        private final int unshareCall;
        private final int setgroupsCall;

        Architecture(int number, int socketCall, int cloneCall, int unshareCall, int setgroupsCall) {
            this.number = number;
            this.socketCall = socketCall;
            this.cloneCall = cloneCall;
            this.unshareCall = unshareCall;
            this.setgroupsCall = setgroupsCall;
        }
    }

    /// Name, number on x86, number on ARM; 0 where it does not exist.
    private static final String CALLS = """
            acct 163 89
            add_key 248 217
            bpf 321 280
            clock_adjtime 305 266
            clock_settime 227 112
            create_module 174 0
            delete_module 176 106
            finit_module 313 273
            fsconfig 431 431
            fsmount 432 432
            fsopen 430 430
            fspick 433 433
            init_module 175 105
            io_uring_enter 426 426
            io_uring_register 427 427
            io_uring_setup 425 425
            ioperm 173 0
            iopl 172 0
            kexec_file_load 320 294
            kexec_load 246 104
            keyctl 250 219
            listmount 458 458
            lookup_dcookie 212 18
            mount 165 40
            mount_setattr 442 442
            move_mount 429 429
            nfsservctl 180 42
            open_by_handle_at 304 265
            open_tree 428 428
            open_tree_attr 467 467
            perf_event_open 298 241
            pivot_root 155 41
            quotactl 179 60
            quotactl_fd 443 443
            reboot 169 142
            request_key 249 218
            setns 308 268
            settimeofday 164 170
            statmount 457 457
            swapoff 168 225
            swapon 167 224
            syslog 103 116
            umount2 166 39
            unshare 272 97
            uselib 134 0
            userfaultfd 323 282
            vhangup 153 58
            """;

    private static final int CLONE3 = 435;

    /// Behind `file_setattr` of Linux 6.17. Calls get the same numbers everywhere nowadays; those of x86's other way to
    /// count are far behind.
    private static final int FIRST_UNKNOWN = 470;

    private static final int NEW_NAMESPACES = 0x7e020000; // cgroup, uts, ipc, user, pid, net; mount

    /// What those who build need. They have these rights in a user namespace that owns nothing but what they make.
    private static final Set<String> OF_BUILDERS = Set.of("mount", "umount2", "pivot_root", "unshare");

    /// In a cgroup namespace of theirs they could change their own bounds, and a network or a user namespace is more
    /// of the kernel within reach than it takes to build.
    private static final int NEW_TO_BUILDERS = 0x52000080; // cgroup, user, net; time
    private static final int MACHINES = 40; // AF_VSOCK: from a virtual machine to its host

    private static final int ALLOW = 0x7fff0000;
    private static final int KILL = 0x80000000;
    private static final int ERROR = 0x00050000;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    // Offsets in what the program is given.
    private static final int NUMBER_AT = 0;
    private static final int ARCHITECTURE_AT = 4;
    private static final int FIRST_ARGUMENT_AT = 16;

    // Instructions of the classic packet filter.
    private static final int LOAD = 0x20;
    private static final int RETURN = 0x06;
    private static final int IF_EQUAL = 0x15;
    private static final int IF_AT_LEAST = 0x35;
    private static final int IF_ANY_BIT = 0x45;

    public SystemCallFilter {
        refused = List.copyOf(refused);
    }

    /// Empty where the kernel has no filters, or the numbers of its calls are not known here.
    public static Optional<SystemCallFilter> ofThisMachine() {
        if (!Files.exists(Path.of("/proc/sys/kernel/seccomp/actions_avail"))) {
            return Optional.empty();
        }
        return switch (System.getProperty("os.arch", "")) {
            case "amd64", "x86_64" -> Optional.of(of(Architecture.X86));
            case "aarch64" -> Optional.of(of(Architecture.ARM));
            default -> Optional.empty();
        };
    }

    public static SystemCallFilter of(Architecture architecture) {
        var refused = numbers(architecture).values().stream().toList();
        return new SystemCallFilter(architecture, refused, false);
    }

    /// Those that are refused, by name.
    public static Map<String, Integer> numbers(Architecture architecture) {
        var numbers = new TreeMap<String, Integer>();
        CALLS.lines().map(line -> line.split(" ", -1)).forEach(parts -> {
            int number = Integer.parseInt(parts[architecture == Architecture.X86 ? 1 : 2]);
            if (number > 0) {
                numbers.put(parts[0], number);
            }
        });
        return numbers;
    }

    /// For who has yet to enter a container's namespaces, and will have no right to do so once in there.
    public SystemCallFilter entering() {
        int setns = Objects.requireNonNull(numbers(architecture).get("setns"));
        return new SystemCallFilter(
                architecture, refused.stream().filter(number -> number != setns).toList(), builds);
    }

    /// For who builds images.
    public SystemCallFilter building() {
        var others = numbers(architecture).entrySet().stream()
                .filter(call -> !OF_BUILDERS.contains(call.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return new SystemCallFilter(
                architecture, refused.stream().filter(others::contains).toList(), true);
    }

    /// As the kernel wants it: eight bytes for each instruction.
    public byte[] program() {
        var code = new ArrayList<Instruction>();
        code.add(new Instruction(LOAD, 0, 0, ARCHITECTURE_AT));
        code.add(new Instruction(IF_EQUAL, 1, 0, architecture.number));
        code.add(new Instruction(RETURN, 0, 0, KILL)); // the numbers of another architecture mean something else
        code.add(new Instruction(LOAD, 0, 0, NUMBER_AT));
        code.add(new Instruction(IF_AT_LEAST, 0, 1, FIRST_UNKNOWN));
        code.add(new Instruction(RETURN, 0, 0, ERROR | ENOSYS)); // as on an older kernel
        // Its flags are in memory, where no filter can look; who gets this answer tries clone.
        code.add(new Instruction(IF_EQUAL, 0, 1, CLONE3));
        code.add(new Instruction(RETURN, 0, 0, ERROR | ENOSYS));
        if (builds) {
            code.addAll(forBuilders());
        }
        for (int i = 0; i < refused.size(); i++) {
            // Over the ones that follow, and over the six at the end that lead to another answer.
            code.add(new Instruction(IF_EQUAL, refused.size() - i - 1 + 6, 0, refused.get(i)));
        }
        code.add(new Instruction(IF_EQUAL, 3, 0, architecture.cloneCall));
        code.add(new Instruction(IF_EQUAL, 0, 5, architecture.socketCall));
        code.add(new Instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT));
        code.add(new Instruction(IF_EQUAL, 2, 3, MACHINES));
        code.add(new Instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT));
        code.add(new Instruction(IF_ANY_BIT, 0, 1, builds ? NEW_TO_BUILDERS & NEW_NAMESPACES : NEW_NAMESPACES));
        code.add(new Instruction(RETURN, 0, 0, ERROR | EPERM));
        code.add(new Instruction(RETURN, 0, 0, ALLOW));
        var bytes = ByteBuffer.allocate(code.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        code.forEach(each -> each.write(bytes));
        return bytes.array();
    }

    /// A container has one group, and the kernel lets nobody in there choose others. That this fails ends
    /// builders which want no other one either (buildah before 1.45), so it is said to be done. Newer ways to
    /// mount are as on an older kernel: who gets this answer tries the one that there is.
    private List<Instruction> forBuilders() {
        int first = 428; // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
        int behind = 434;
        int attributes = 442; // mount_setattr
        return List.of(
                new Instruction(IF_AT_LEAST, 0, 2, first),
                new Instruction(IF_AT_LEAST, 1, 0, behind),
                new Instruction(RETURN, 0, 0, ERROR | ENOSYS),
                new Instruction(IF_EQUAL, 0, 1, attributes),
                new Instruction(RETURN, 0, 0, ERROR | ENOSYS),
                new Instruction(IF_EQUAL, 0, 1, architecture.setgroupsCall),
                new Instruction(RETURN, 0, 0, ERROR),
                new Instruction(IF_EQUAL, 0, 4, architecture.unshareCall),
                new Instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT),
                new Instruction(IF_ANY_BIT, 0, 1, NEW_TO_BUILDERS),
                new Instruction(RETURN, 0, 0, ERROR | EPERM),
                new Instruction(RETURN, 0, 0, ALLOW));
    }

    /// @param then how many instructions to skip when the comparison holds
    private record Instruction(int code, int then, int otherwise, int value) {
        void write(ByteBuffer bytes) {
            bytes.putShort((short) code).put((byte) then).put((byte) otherwise).putInt(value);
        }
    }

    /// Holds from now on for the calling thread, for good, and for the processes that it starts.
    void apply() throws LinuxException {
        int noNewPrivileges = 38;
        int setFilter = 22;
        int byProgram = 2;
        try (var arena = Arena.ofConfined()) {
            var bytes = program();
            var code = arena.allocate(bytes.length, 8);
            code.copyFrom(MemorySegment.ofArray(bytes));
            var description = arena.allocate(16, 8);
            description.set(ValueLayout.JAVA_SHORT, 0, (short) (bytes.length / 8));
            description.set(ValueLayout.JAVA_LONG, 8, code.address());
            Call.PRCTL.call("prctl", noNewPrivileges, 1);
            Call.PRCTL.call("prctl", setFilter, byProgram, description.address());
        }
    }
}

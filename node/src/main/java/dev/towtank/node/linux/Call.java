package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// System calls by their number, all through glibc's `syscall`: one native function to link instead of
/// thirty.
enum Call {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    IOCTL(16, 29),
    PREAD(17, 67),
    PWRITE(18, 68),
    FCNTL(72, 25),
    WAIT4(61, 260),
    KILL(62, 129),
    OPENAT(257, 56),
    MKDIRAT(258, 34),
    UNLINKAT(263, 35),
    SYMLINKAT(266, 36),
    READLINKAT(267, 78),
    RENAMEAT2(316, 276),
    FCHMODAT(268, 53),
    FCHMOD(91, 52),
    GETDENTS64(217, 61),
    STATX(332, 291),
    SYNCFS(306, 267),
    MKNODAT(259, 33),
    SPLICE(275, 76),
    EPOLL_CTL(233, 21),
    EPOLL_PWAIT(281, 22),
    EPOLL_CREATE1(291, 20),
    TIMERFD_CREATE(283, 85),
    TIMERFD_SETTIME(286, 86),
    PIPE2(293, 59),
    PRLIMIT64(302, 261),
    MEMFD_CREATE(319, 279),
    PIDFD_SEND_SIGNAL(424, 424),
    PIDFD_OPEN(434, 434),
    OPENAT2(437, 437),
    PIDFD_GETFD(438, 438),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SENDTO(44, 206),
    RECVFROM(45, 207),
    SHUTDOWN(48, 210),
    BIND(49, 200),
    LISTEN(50, 201),
    GETPEERNAME(52, 205),
    SETSOCKOPT(54, 208),
    ACCEPT4(288, 242),
    MMAP(9, 222),
    MPROTECT(10, 226),
    CAPSET(126, 91),
    DUP3(292, 24),
    CLOSE_RANGE(436, 436),
    RT_SIGPROCMASK(14, 135),
    RT_SIGACTION(13, 134),
    MOUNT(165, 40),
    CHDIR(80, 49),
    FCHDIR(81, 50),
    CHROOT(161, 51),
    FCHOWNAT(260, 54),
    SETGROUPS(116, 159),
    SETRESGID(119, 149),
    SETRESUID(117, 147),
    SETSID(112, 157),
    EXECVE(59, 221),
    GETSOCKNAME(51, 204),
    GETSOCKOPT(55, 209),
    UNSHARE(272, 97),
    SETNS(308, 268),
    PRCTL(157, 167),
    GETTID(186, 178),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_RESTRICT_SELF(446, 446),
    GETPRIORITY(140, 141),
    SETPRIORITY(141, 140),
    GETUID(102, 174),
    GETGID(104, 176);

    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    @SuppressWarnings("restricted") // the launcher allows native access
    private static final MethodHandle SYSCALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(1),
                    Linker.Option.captureCallState("errno"));

    private final int onX86;
    private final int onArm;

    Call(int onX86, int onArm) {
        this.onX86 = onX86;
        this.onArm = onArm;
    }

    long number() {
        return ARM ? onArm : onX86;
    }

    /// The call's result, or minus its error number.
    long raw(long a, long b, long c, long d, long e, long f) {
        try (var arena = Arena.ofConfined()) {
            return raw(arena, a, b, c, d, e, f);
        }
    }

    private long raw(Arena arena, long a, long b, long c, long d, long e, long f) {
        try {
            var state = arena.allocate(STATE);
            long result = (long) SYSCALL.invokeExact(state, number(), a, b, c, d, e, f);
            return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable t) {
            throw sneaked(t);
        }
    }

    /// As [#raw], asked again when it was interrupted.
    ///
    /// @param arena for what is needed during the call
    long raw(Arena arena, long a, long b, long c, long d, long e) {
        long result;
        do {
            result = raw(arena, a, b, c, d, e, 0);
        } while (result == -LinuxException.EINTR);
        return result;
    }

    /// A call about a name in a directory: that it is there already, or is not, is the usual case, and no exception.
    long on(int directory, String name, long c, long d) {
        try (var arena = Arena.ofConfined()) {
            return raw(arena, directory, text(arena, name), c, d, 0);
        }
    }

    long on(int descriptor, long b, long c) {
        try (var arena = Arena.ofConfined()) {
            return raw(arena, descriptor, b, c, 0, 0);
        }
    }

    static long checked(long result, String what, String name) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(what + " " + name, (int) -result);
        }
        return result;
    }

    long call(String what, long... arguments) throws LinuxException {
        var a = Arrays.copyOf(arguments, 6);
        long result;
        do {
            result = raw(a[0], a[1], a[2], a[3], a[4], a[5]);
        } while (result == -LinuxException.EINTR);
        if (result < 0) {
            throw new LinuxException(what, (int) -result);
        }
        return result;
    }

    /// The address of a text for the time of a call.
    static long text(Arena arena, String value) {
        return arena.allocateFrom(value).address();
    }

    /// A native call itself throws nothing checked: what comes out is an error of the JVM.
    static RuntimeException sneaked(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }
}

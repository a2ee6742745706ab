package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Processes of this machine, children of ours or not.
public final class Processes {

    /// How gladly the kernel ends a process, and those that it starts, when no memory is left. Nobody may ask for less
    /// than this process has.
    public static void setOutOfMemoryScore(int pid, int score) throws IOException {
        writeOutOfMemoryScore(pid, Math.max(score, outOfMemoryScore("self")));
    }

    /// What one process has another one gets, too.
    public static void copyOutOfMemoryScore(int from, int to) throws IOException {
        writeOutOfMemoryScore(to, outOfMemoryScore(Integer.toString(from)));
    }

    private static void writeOutOfMemoryScore(int pid, int score) throws IOException {
        var file = scoreFile(pid);
        try {
            Files.writeString(file, Integer.toString(score));
        } catch (AccessDeniedException e) { // it is another user of its container
            OthersFiles.write(file, Integer.toString(score));
        }
    }

    private static int outOfMemoryScore(String process) throws IOException {
        return Integer.parseInt(
                Files.readString(Path.of("/proc", process, "oom_score_adj")).strip());
    }

    private static Path scoreFile(int pid) {
        return Path.of("/proc", Integer.toString(pid), "oom_score_adj");
    }

    public static final int LIMIT_DATA = 2;
    public static final int LIMIT_PROCESSES = 6;
    public static final int LIMIT_OPEN_FILES = 7;

    private static final int NO_WAITING = 1; // WNOHANG

    // Which fields of /proc/<pid>/stat, counted from behind the name.
    private static final int PARENT = 1;
    private static final int SESSION = 3;
    /// Behind it those of the system, and both of the children.
    private static final int USER_TIME = 11;

    private static final int THREADS = 17;
    private static final int STARTED = 19;

    /// A name of 64 letters and 50 numbers.
    private static final int LONGEST_STAT = 2048;

    private Processes() {}

    /// A descriptor that becomes readable when the process has ended.
    public static int watch(int pid) throws LinuxException {
        return (int) Call.PIDFD_OPEN.call("pidfd_open " + pid, pid, 0);
    }

    /// The same open file that another process has under this number.
    public static int borrow(int pid, int descriptor) throws LinuxException {
        int watch = watch(pid);
        try {
            return (int) Call.PIDFD_GETFD.call("pidfd_getfd " + pid, watch, descriptor, 0);
        } finally {
            Descriptors.close(watch);
        }
    }

    /// False when it has ended before.
    public static boolean signalWatched(int watch, int signal) throws LinuxException {
        long result = Call.PIDFD_SEND_SIGNAL.raw(watch, signal, 0, 0, 0, 0);
        if (result < 0 && result != -LinuxException.ESRCH) {
            throw new LinuxException("signal " + signal, (int) -result);
        }
        return result >= 0;
    }

    public static boolean signal(int pid, int signal) throws LinuxException {
        long result = Call.KILL.raw(pid, signal, 0, 0, 0, 0);
        if (result < 0 && result != -LinuxException.ESRCH) {
            throw new LinuxException("signal " + signal + " to " + pid, (int) -result);
        }
        return result >= 0;
    }

    /// Takes the exit status of a child that has ended, as a shell would number it; empty when it is no child
    /// of ours or runs.
    public static OptionalInt reap(int pid) {
        return wait(pid, NO_WAITING);
    }

    /// The same, waiting for the end. Blocks its thread.
    public static OptionalInt await(int pid) {
        return wait(pid, 0);
    }

    private static OptionalInt wait(int pid, int options) {
        try (var arena = Arena.ofConfined()) {
            var status = arena.allocate(ValueLayout.JAVA_INT);
            long result;
            do {
                result = Call.WAIT4.raw(pid, status.address(), options, 0, 0, 0);
            } while (result == -LinuxException.EINTR);
            if (result != pid) {
                return OptionalInt.empty();
            }
            int raw = status.get(ValueLayout.JAVA_INT, 0);
            int signal = raw & 0x7f;
            return OptionalInt.of(signal == 0 ? (raw >> 8) & 0xff : 128 + signal);
        }
    }

    /// Bounds a resource of another process, from which its future children inherit it.
    public static void limit(int pid, int resource, long value) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var pair = arena.allocate(16, 8);
            pair.set(ValueLayout.JAVA_LONG, 0, value);
            pair.set(ValueLayout.JAVA_LONG, 8, value);
            Call.PRLIMIT64.call("prlimit " + pid, pid, resource, pair.address(), 0);
        }
    }

    /// Gives a process the bound that another one has.
    public static void limitLike(int bounded, int pid, int resource) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var pair = arena.allocate(16, 8);
            Call.PRLIMIT64.call("prlimit " + bounded, bounded, resource, 0, pair.address());
            Call.PRLIMIT64.call("prlimit " + pid, pid, resource, pair.address(), 0);
        }
    }

    /// When the process was started, in the kernel's own measure: together with the process id and the boot
    /// it names a process for ever. Empty when there is none, or only a zombie of it.
    public static OptionalLong started(int pid) {
        return stat(pid, STARTED);
    }

    public static OptionalInt parent(int pid) {
        return whole(stat(pid, PARENT));
    }

    public static OptionalInt session(int pid) {
        return whole(stat(pid, SESSION));
    }

    /// How long a process and the children that it has waited for have run on processors, in hundredths of a second.
    public static OptionalLong ticks(int pid) {
        long sum = 0;
        for (int field = USER_TIME; field < USER_TIME + 4; field++) {
            var time = stat(pid, field);
            if (time.isEmpty()) {
                return time;
            }
            sum += time.getAsLong();
        }
        return OptionalLong.of(sum);
    }

    private static OptionalInt whole(OptionalLong number) {
        return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }

    /// A field behind the name; the state is the first. The kernel gives all of them to one who reads once.
    private static OptionalLong stat(int pid, int field) {
        long opened = Call.OPENAT.on(FileFlags.HERE, "/proc/" + pid + "/stat", FileFlags.CLOEXEC, 0);
        if (opened < 0) {
            return OptionalLong.empty();
        }
        try (var arena = Arena.ofConfined()) {
            var text = arena.allocate(LONGEST_STAT);
            int length = Descriptors.read((int) opened, text);
            return length <= 0 ? OptionalLong.empty() : field(text.asSlice(0, length), field);
        } catch (LinuxException e) {
            return OptionalLong.empty(); // it has ended since
        } finally {
            Descriptors.close((int) opened);
        }
    }

    private static OptionalLong field(MemorySegment text, int field) {
        long at = text.byteSize() - 1;
        // The name may hold anything, also what looks like its end.
        while (at > 0 && text.get(ValueLayout.JAVA_BYTE, at) != ')') {
            at--;
        }
        at += 2;
        int state = at < text.byteSize() ? text.get(ValueLayout.JAVA_BYTE, at) : 'X';
        // Its first thread may have ended before others.
        boolean hasEnded = state == 'X' || (state == 'Z' && field(text, at, THREADS) <= 1);
        return hasEnded ? OptionalLong.empty() : OptionalLong.of(field(text, at, field));
    }

    private static long field(MemorySegment text, long first, int field) {
        long at = first;
        for (int passed = 0; passed < field && at < text.byteSize(); at++) {
            passed += text.get(ValueLayout.JAVA_BYTE, at) == ' ' ? 1 : 0;
        }
        long value = 0;
        for (; at < text.byteSize() && isDigit(text.get(ValueLayout.JAVA_BYTE, at)); at++) {
            value = value * 10 + text.get(ValueLayout.JAVA_BYTE, at) - '0';
        }
        return value;
    }

    private static boolean isDigit(byte letter) {
        return letter >= '0' && letter <= '9';
    }

    /// The first child of a process.
    public static OptionalInt child(int pid) {
        try {
            var text = Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/children"));
            return text.isBlank() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text.split(" ", 2)[0]));
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    /// Another one after each start of the machine.
    public static String boot() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    public static int user() {
        return (int) Call.GETUID.raw(0, 0, 0, 0, 0, 0);
    }

    public static int group() {
        return (int) Call.GETGID.raw(0, 0, 0, 0, 0, 0);
    }

    /// The namespace that contains a user namespace, as a descriptor.
    public static int parentNamespace(int namespace) throws LinuxException {
        int getParent = 0xb702; // NS_GET_PARENT
        return (int) Call.IOCTL.call("find the parent of a namespace", namespace, getParent);
    }

    /// The user namespace that has rights over a namespace.
    public static int owningNamespace(int namespace) throws LinuxException {
        int getUser = 0xb701; // NS_GET_USERNS
        return (int) Call.IOCTL.call("find the owner of a namespace", namespace, getUser);
    }
}

package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/// Makes a list of system calls in a process of its own, which has our memory and descriptors and nothing else of ours.
/// No thread of a process with several may enter another user namespace: an envoy may. What it opens there is ours.
///
/// It runs no code of the JVM but a few instructions that walk through the list, while the thread that sent it stands
/// still in the kernel, as `posix_spawn` does it. So it needs no stack, no class and no file.
final class Envoy {

    static final long NOT_REACHED = Long.MIN_VALUE;

    private static final int VM = 0x100;
    private static final int FILES = 0x400;
    private static final int VFORK = 0x4000;
    private static final int SIGCHLD = 17;

    // The head of the list: how to make the process, the error and where it arose, all signals, room for ours.
    private static final int ERROR = 8;
    private static final int PLACE = 16;
    private static final int SIGNALS = 24;
    private static final int HEAD = 64;

    // Each line: the call's number, six arguments, and where its result is written.
    private static final int LINE = 64;
    private static final int RESULT = 56;

    /// Blocks all signals, makes the process, and gives the signals back; in the process, each line is called until one
    /// fails or a negative number ends the list. The source for x86-64:
    ///
    /// ```
    /// push rbx; push rbp; push r12; mov rbx,rdi
    /// mov eax,14; mov edi,2; lea rsi,[rbx+24]; lea rdx,[rbx+32]; mov r10d,8; syscall
    /// mov eax,56; mov rdi,[rbx]; xor esi,esi; xor edx,edx; xor r10d,r10d; xor r8d,r8d; syscall
    /// test rax,rax; jz child; mov r12,rax
    /// mov eax,14; mov edi,2; lea rsi,[rbx+32]; xor edx,edx; mov r10d,8; syscall
    /// mov rax,r12; pop r12; pop rbp; pop rbx; ret
    /// child: lea rbp,[rbx+64]
    /// next: mov rax,[rbp]; test rax,rax; js done
    /// mov rdi,[rbp+8]; mov rsi,[rbp+16]; mov rdx,[rbp+24]
    /// mov r10,[rbp+32]; mov r8,[rbp+40]; mov r9,[rbp+48]; syscall
    /// mov rcx,[rbp+56]; mov [rcx],rax; cmp rax,-4095; jae failed; add rbp,64; jmp next
    /// failed: mov [rbx+8],rax; mov [rbx+16],rbp
    /// done: mov eax,60; xor edi,edi; syscall
    /// ```
    private static final String X86 = """
            535541544889fbb80e000000bf02000000488d7318488d532041ba080000
            000f05b838000000488b3b31f631d24531d24531c00f054885c074234989
            c4b80e000000bf02000000488d732031d241ba080000000f054c89e0415c
            5d5bc3488d6b40488b45004885c07837488b7d08488b7510488b55184c8b
            55204c8b45284c8b4d300f05488b4d38488901483d01f0ffff73064883c5
            40ebc84889430848896b10b83c00000031ff0f05""";

    /// The same for 64-bit ARM.
    private static final String ARM = """
            fd7bbea9f35301a9f30300aa400080d26162009162820091030180d2e810
            80d2010000d4600240f9010080d2020080d2030080d2040080d2881b80d2
            010000d4800100b4f40300aa400080d261820091020080d2030180d2e810
            80d2010000d4e00314aaf35341a9fd7bc2a8c0035fd674020191880240f9
            a801f8b7808640a9828e41a9849642a9010000d4891e40f9200100f91ffc
            3fb16200005494020191f5ffff17600600f9740a00f9000080d2a80b80d2
            010000d4""";

    private static final class Code {
        @SuppressWarnings("restricted") // the launcher allows native access
        private static final MethodHandle RUN = Linker.nativeLinker()
                .downcallHandle(
                        MemorySegment.ofAddress(load()),
                        FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

        @SuppressWarnings("restricted")
        private static long load() {
            boolean arm = System.getProperty("os.arch", "").equals("aarch64");
            var code = HexFormat.of().parseHex((arm ? ARM : X86).replaceAll("\\s", ""));
            int page = 4096;
            int writable = 1 | 2;
            int executable = 1 | 4;
            int ofOurOwn = 2 | 0x20;
            try {
                long address = Call.MMAP.call("get memory", 0, page, writable, ofOurOwn, -1, 0);
                MemorySegment.copy(
                        code,
                        0,
                        MemorySegment.ofAddress(address).reinterpret(page),
                        ValueLayout.JAVA_BYTE,
                        0,
                        code.length);
                Call.MPROTECT.call("make code of memory", address, page, executable);
                return address;
            } catch (LinuxException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// A line of the list.
    private record Line(String what, Call call, List<Object> arguments) {}

    /// As an argument: what an earlier line gave, for one later line alone.
    record Gave(int line) {}

    private final List<Line> lines = new ArrayList<>();

    /// How many there are by now.
    int lines() {
        return lines.size();
    }

    /// @param arguments numbers, texts, lists of texts, bytes, and what earlier lines gave
    Envoy then(String what, Call call, Object... arguments) {
        lines.add(new Line(what, call, List.of(arguments)));
        return this;
    }

    /// What each line gave.
    long[] run() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var list = go(arena);
            check(list);
            return results(list);
        }
    }

    /// What each line gave: the one that failed minus the number of its error, those after it [#NOT_REACHED].
    long[] attempt() throws IOException {
        try (var arena = Arena.ofConfined()) {
            return results(go(arena));
        }
    }

    private MemorySegment go(Arena arena) throws IOException {
        var list = arena.allocate(HEAD + (lines.size() + 1L) * LINE, 64);
        write(list, arena);
        int pid = (int) send(list);
        if (pid < 0) {
            throw new LinuxException("send a process", -pid);
        }
        var _ = Processes.await(pid);
        return list;
    }

    private long[] results(MemorySegment list) {
        var results = new long[lines.size()];
        Arrays.setAll(results, i -> result(list, i));
        return results;
    }

    @SuppressWarnings("restricted")
    private static long result(MemorySegment list, int line) {
        return MemorySegment.ofAddress(list.get(ValueLayout.JAVA_LONG, at(line) + RESULT))
                .reinterpret(8)
                .get(ValueLayout.JAVA_LONG, 0);
    }

    /// The last line makes another program of the process, which has its number.
    int start() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var list = arena.allocate(HEAD + (lines.size() + 1L) * LINE, 64);
            write(list, arena);
            int pid = (int) send(list);
            if (pid < 0) {
                throw new LinuxException("send a process", -pid);
            }
            try {
                check(list);
            } catch (LinuxException e) {
                var _ = Processes.await(pid);
                throw e;
            }
            return pid;
        }
    }

    private void check(MemorySegment list) throws LinuxException {
        long error = list.get(ValueLayout.JAVA_LONG, ERROR);
        if (error != 0) {
            int line = (int) ((list.get(ValueLayout.JAVA_LONG, PLACE) - list.address() - HEAD) / LINE);
            throw new LinuxException(lines.get(line).what, (int) -error);
        }
    }

    private static long at(int line) {
        return HEAD + (long) line * LINE;
    }

    private void write(MemorySegment list, Arena arena) {
        list.set(ValueLayout.JAVA_LONG, 0, VM | FILES | VFORK | SIGCHLD);
        list.set(ValueLayout.JAVA_LONG, SIGNALS, -1);
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            list.set(ValueLayout.JAVA_LONG, at(i), line.call.number());
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            result.set(ValueLayout.JAVA_LONG, 0, NOT_REACHED);
            list.set(ValueLayout.JAVA_LONG, at(i) + RESULT, result.address());
            for (int j = 0; j < line.arguments.size(); j++) {
                long place = at(i) + 8 * (j + 1L);
                if (line.arguments.get(j) instanceof Gave(int earlier)) {
                    list.set(ValueLayout.JAVA_LONG, at(earlier) + RESULT, list.address() + place);
                } else {
                    list.set(ValueLayout.JAVA_LONG, place, value(arena, line.arguments.get(j)));
                }
            }
        }
        list.set(ValueLayout.JAVA_LONG, at(lines.size()), -1);
    }

    private static long value(Arena arena, Object argument) {
        return switch (Objects.requireNonNull(argument)) {
            case Integer number -> number;
            case Long number -> number;
            case String text -> Call.text(arena, text);
            case byte[] bytes ->
                arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
            case List<?> texts -> texts(arena, texts);
            default -> throw new IllegalArgumentException("no argument: " + argument);
        };
    }

    private static long texts(Arena arena, List<?> texts) {
        var array = arena.allocate(ValueLayout.JAVA_LONG, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, Call.text(arena, (String) texts.get(i)));
        }
        return array.address();
    }

    private static long send(MemorySegment list) {
        try {
            return (long) Code.RUN.invokeExact(list.address());
        } catch (Throwable t) {
            throw Call.sneaked(t);
        }
    }
}

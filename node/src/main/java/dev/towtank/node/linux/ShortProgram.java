package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A program that reads some text, does its work at once, and says something only when it cannot.
final class ShortProgram {

    private static final int LONGEST = 1000;

    private ShortProgram() {}

    @FunctionalInterface
    interface Start {
        /// The process id.
        int start(Spawn.Program program) throws IOException;
    }

    static void run(List<String> arguments, String input, Start start) throws IOException {
        int text = Descriptors.memory(input.getBytes(StandardCharsets.UTF_8));
        int said = Descriptors.memory(new byte[0]);
        try {
            int pid = start.start(new Spawn.Program(
                    Path.of(arguments.getFirst()),
                    arguments,
                    List.of(),
                    List.of(text, said, said),
                    Optional.empty(),
                    Optional.empty()));
            int status = Processes.await(pid).orElse(1);
            if (status != 0) {
                throw new IOException(arguments.getFirst() + " ended with " + status + ": " + read(said));
            }
        } finally {
            Descriptors.close(text);
            Descriptors.close(said);
        }
    }

    private static String read(int descriptor) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(LONGEST);
            int count = Descriptors.readAt(descriptor, buffer, LONGEST, 0);
            var bytes = buffer.asSlice(0, Math.max(count, 0)).toArray(ValueLayout.JAVA_BYTE);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        }
    }
}

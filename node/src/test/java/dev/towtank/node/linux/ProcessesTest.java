package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {

    private static String[] fields(long pid) throws IOException {
        var text = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    }

    @Test
    void tellsWhatTheKernelSaysOfAProcess() throws IOException {
        int self = (int) ProcessHandle.current().pid();
        var expected = fields(self);
        assertThat(Processes.parent(self)).hasValue(Integer.parseInt(expected[1]));
        assertThat(Processes.session(self)).hasValue(Integer.parseInt(expected[3]));
        assertThat(Processes.started(self)).hasValue(Long.parseLong(expected[19]));
    }

    @Test
    void aNameThatLooksLikeMoreFieldsDoesNotMatter(@TempDir Path home) throws IOException, InterruptedException {
        var program = home.resolve("a) Z 1 (b");
        Files.createSymbolicLink(program, Path.of("/usr/bin/sleep"));
        var process = new ProcessBuilder(program.toString(), "60").start();
        try {
            int pid = (int) process.pid();
            assertThat(Processes.parent(pid))
                    .hasValue((int) ProcessHandle.current().pid());
            assertThat(Processes.started(pid)).hasValue(Long.parseLong(fields(pid)[19]));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void knowsNothingOfAProcessThatIsNotThere() {
        assertThat(Processes.started(Integer.MAX_VALUE)).isEmpty();
        assertThat(Processes.parent(-1)).isEmpty();
    }

    @Test
    void isThereUntilTheLastThreadHasEnded() throws IOException, InterruptedException {
        var script = "threads->create(sub { sleep 60 }); syscall(%d, 0)".formatted(isArm() ? 93 : 60); // ends a thread
        var process = new ProcessBuilder("perl", "-Mthreads", "-e", script).start();
        try {
            int pid = (int) process.pid();
            while (!fields(pid)[0].equals("Z")) {
                Thread.sleep(1);
            }
            assertThat(Processes.parent(pid))
                    .hasValue((int) ProcessHandle.current().pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(Processes.parent((int) process.pid())).isEmpty();
    }

    private static boolean isArm() {
        return System.getProperty("os.arch").equals("aarch64");
    }
}

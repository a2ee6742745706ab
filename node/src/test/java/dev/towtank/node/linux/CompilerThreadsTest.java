package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// In a JVM of its own: the one that runs tests does not optimize.
class CompilerThreadsTest {

    /// Prints the priorities of optimizing threads and of all others, before and after.
    public static void main(String[] arguments) throws IOException {
        System.out.println(priorities(true) + " " + priorities(false));
        CompilerThreads.stepBack();
        System.out.println(priorities(true) + " " + priorities(false));
    }

    private static SortedSet<Integer> priorities(boolean optimizing) throws IOException {
        var found = new TreeSet<Integer>();
        try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var task : tasks) {
                var stat = Files.readString(task.resolve("stat"));
                var name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                if (name.startsWith("C2") == optimizing) {
                    found.add(Integer.parseInt(
                            stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]));
                }
            }
        }
        return found;
    }

    @Test
    void stepBackBehindAllOthers() throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:CICompilerCount=2", // one that optimizes, from the first moment on
                        "-XX:-UseDynamicNumberOfCompilerThreads",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CompilerThreadsTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();

        int usual = Integer.parseInt(said.getFirst().replaceFirst("^\\[(-?\\d+)\\].*", "$1"));
        assertThat(said)
                .containsExactly(
                        "[" + usual + "] [" + usual + "]", "[" + Math.min(usual + 5, 19) + "] [" + usual + "]");
    }
}

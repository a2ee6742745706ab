package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Benchmarks are run by hand, from their sources: a change elsewhere must not break them unseen.
class BenchmarksTest {

    @TempDir
    Path classes;

    @Test
    void everyBenchmarkCompiles() throws Exception {
        var sources = Checkout.files(".java").stream()
                .filter(file -> file.startsWith(Checkout.ROOT.resolve("bench")))
                .toList();
        assertThat(sources).isNotEmpty();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-proc:none", "-d", classes.toString());
            var compiled = compiler.getTask(
                            problems, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(problems.toString()).isTrue();
        }
    }
}

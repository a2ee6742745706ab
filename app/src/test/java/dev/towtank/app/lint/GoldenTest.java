package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.standing.Named;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each file in `golden` has a neighbour, `<file>.findings`, with what must be found in it.
final class GoldenTest {

    private static final EnumSet<Rule> TESTED_ELSEWHERE = EnumSet.of(
            Rule.UNREADABLE, // golden files are text
            Rule.UNRENDERABLE, // golden files are no folders
            Rule.SHELL_SYNTAX, // what shells print differs
            Rule.SHELL_PORTABILITY,
            Rule.HERE_DOCUMENT,
            Rule.PYTHON_SYNTAX,
            Rule.SHELLCHECK);

    static List<Path> files() throws IOException, URISyntaxException {
        var directory = Objects.requireNonNull(GoldenTest.class.getResource("golden"));
        try (var all = Files.list(Path.of(directory.toURI()))) {
            return all.filter(file -> !file.toString().endsWith(".findings"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> found(Path file) {
        return lint(file).findings().stream().map(Linting::line).toList();
    }

    private static Report lint(Path file) {
        Supplier<SourceFiles.Content> input = () -> SourceFiles.read(file);
        return Linting.linter().lint(List.of(input), new Named(List.of(file.toString())));
    }

    @ParameterizedTest
    @MethodSource("files")
    void findsWhatIsWrong(Path file) throws IOException {
        var expected = Files.readAllLines(file.resolveSibling(file.getFileName() + ".findings"));

        assertThat(found(file)).containsExactlyElementsOf(expected);
    }

    @Test
    void coversEveryRule() throws IOException, URISyntaxException {
        var missing = EnumSet.complementOf(TESTED_ELSEWHERE);
        for (var file : files()) {
            lint(file).findings().forEach(finding -> missing.remove(finding.rule()));
        }
        assertThat(missing).isEmpty();
    }
}

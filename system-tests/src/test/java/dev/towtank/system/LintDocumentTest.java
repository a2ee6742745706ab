package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.Linter;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The document about the rules names all of them, and each is right about its own example.
class LintDocumentTest {

    private static final Path DOCUMENT = Checkout.ROOT.resolve("docs/lint.md");
    private static final Pattern SECTION = Pattern.compile("(?ms)^### (\\S+)$(.*?)(?=^### |\\z)");

    @Test
    void explainsEveryRule() {
        var sections = SECTION.matcher(Checkout.read(DOCUMENT)).results().map(section -> section.group(1));

        assertThat(sections.toList())
                .containsExactlyInAnyOrderElementsOf(
                        List.of(Rule.values()).stream().map(Rule::id).toList());
    }

    @Test
    void everyExampleShowsItsRule() {
        Supplier<Content> input = () -> SourceFiles.read(DOCUMENT);
        var linter = new Linter(
                Target.CURRENT,
                Settings.INITIAL,
                Set.of(),
                image -> Optional.of(image).filter(name -> name.startsWith("registry.example.com/")),
                new ScriptJudge("/usr/bin:/bin")::judge,
                List::of);
        var found = linter.lint(List.of(input)).findings().stream()
                .map(finding ->
                        finding.rule().id() + " " + section(finding.place().line()))
                .collect(Collectors.toSet());

        assertThat(SECTION.matcher(Checkout.read(DOCUMENT))
                        .results()
                        .filter(section -> section.group(2).contains("```yaml"))
                        .map(section -> section.group(1)))
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(found).contains(rule + " " + rule));
    }

    private static String section(int line) {
        var before = Checkout.read(DOCUMENT).lines().limit(line).toList().reversed();
        return before.stream()
                .filter(each -> each.startsWith("### "))
                .findFirst()
                .orElse("### ")
                .substring(4);
    }
}

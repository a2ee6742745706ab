package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("(?<!`)\\[[^\\]`]*(?:`[^`]*`[^\\]`]*)*\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static Stream<Path> documents() {
        return Checkout.files(".md").stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyRelativeLinkLeadsSomewhere(Path document) {
        assertThat(brokenLinks(document)).isEmpty();
    }

    @Test
    void aBrokenLinkIsFound(@TempDir Path folder) throws Exception {
        var document = Files.writeString(folder.resolve("a.md"), """
                # A `heading`, first
                [good](a.md) [good](#a-heading-first) [web](https://example.com/x) [bad](b.md) [bad](a.md#nowhere)
                ```
                [not a link](c.md)
                ```
                """);

        assertThat(brokenLinks(document)).containsExactly("b.md", "a.md#nowhere");
    }

    @Test
    void everyDecisionIsInTheIndexAndOnOnePage() {
        var folder = Checkout.ROOT.resolve("docs/adr");
        var index = Checkout.read(folder.resolve("README.md"));
        var decisions = Checkout.files(".md").stream()
                .filter(file -> file.startsWith(folder))
                .filter(file -> !file.endsWith("README.md"))
                .toList();

        assertThat(decisions).isNotEmpty().allSatisfy(decision -> {
            assertThat(index).contains("(" + decision.getFileName() + ")");
            assertThat(Checkout.read(decision).lines()).hasSizeLessThanOrEqualTo(80);
        });
    }

    /// Every promise has something that shows it, and whatever is named there exists.
    @Test
    void everyRowOfTheThreatModelNamesTestsThatExist() {
        var tests = Checkout.files(".java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        var rows = Checkout.read(Checkout.ROOT.resolve("SECURITY.md"))
                .lines()
                .filter(line -> line.startsWith("|") && !line.startsWith("| who |") && !line.startsWith("|---"))
                .toList();

        assertThat(rows).hasSizeGreaterThan(10).allSatisfy(row -> {
            var columns = row.split("\\|", -1);
            assertThat(columns).hasSize(6);
            var named = CODE.matcher(columns[4])
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            assertThat(named)
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(tests.contains(name) || Files.exists(Checkout.ROOT.resolve(name)))
                            .as(name)
                            .isTrue());
        });
    }

    private static List<String> brokenLinks(Path document) {
        var broken = new ArrayList<String>();
        var text = CODE_BLOCK.matcher(Checkout.read(document)).replaceAll("");
        for (var found : LINK.matcher(text).results().toList()) {
            var link = found.group(1);
            if (!link.matches("[a-z]+:.*") && !leadsSomewhere(document, link)) {
                broken.add(link);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path document, String link) {
        int hash = link.indexOf('#');
        var path = hash < 0 ? link : link.substring(0, hash);
        var target = path.isEmpty() ? document : document.resolveSibling(path);
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(target).contains(link.substring(hash + 1));
    }

    private static List<String> anchors(Path document) {
        return HEADING.matcher(Checkout.read(document))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}

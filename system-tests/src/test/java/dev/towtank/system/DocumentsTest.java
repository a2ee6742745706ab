package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("(?<!`)\\[[^\\]`]*(?:`[^`]*`[^\\]`]*)*\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static Stream<Path> documents() {
        return Checkout.files(".md").stream();
    }

    /// Of an installation, say.
    static List<Path> documents(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
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

    /// In clones as GitHub's checkout and GitLab's runner make them of a branch that a target branch has outrun.
    @Test
    void whatCiComparesWithIsInItsClones(@TempDir Path folder) throws Exception {
        var page = Checkout.read(Checkout.ROOT.resolve("docs/ci.md"));
        int gitlab = page.indexOf("## GitLab");
        var depth = only("fetch-depth: (\\d+)", page.substring(0, gitlab));
        var fetch = only("(?m)^  - (git fetch .*)$", page.substring(gitlab));
        var revisions = Pattern.compile("--changed-since (\\S+) -o").matcher(page);
        assertThat(revisions.find()).isTrue();
        var hub = revisions.group(1);
        assertThat(revisions.find(gitlab)).isTrue();
        var lab = revisions.group(1);
        var script = """
                export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
                git config --global user.name a; git config --global user.email a@example.com
                git init -q -b main work; cd work
                for file in 1 2 3; do echo >$file.yaml; git add .; git commit -qm $file; done
                git checkout -qb mine; echo >mine.yaml; git add .; git commit -qm mine
                git checkout -q main; echo >later.yaml; git add .; git commit -qm later
                git checkout -qb merged; git merge -q --no-edit mine; cd ..
                export CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git -C work merge-base main mine)
                clone() { git init -q $1; git -C $1 remote add origin "file://$PWD/work"
                    git -C $1 fetch -q --depth $2 origin $3; git -C $1 checkout -q --detach FETCH_HEAD; cd $1; }
                changed() { git diff --name-only --end-of-options "$1" --; }
                (clone hub %s merged; changed %s)
                (clone lab 20 mine; %s 2>/dev/null; changed %s)
                (clone one 1 mine; %s 2>/dev/null; changed %s)
                """.formatted(depth, hub, fetch, lab, fetch, lab);

        var outcome = Program.run(List.of("bash", "-euc", "cd \"$1\"; " + script, "bash", folder.toString()));

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("mine.yaml\nmine.yaml\nmine.yaml\n");
    }

    private static String only(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    /// What has to be installed stands where whoever runs an example looks first.
    @ParameterizedTest
    @ValueSource(strings = {"s3-configuration", "model-training"})
    void anExampleBeginsWithWhatItNeeds(String example) {
        var readme = Checkout.read(Checkout.ROOT.resolve("examples/README.md"));
        var section = readme.substring(readme.indexOf("\n## " + example));
        var needed = Pattern.compile("python3-\\w+")
                .matcher(section.substring(0, section.indexOf("\n## ", 1)))
                .results()
                .map(found -> found.group())
                .toList();
        var first = Checkout.files(".yaml").stream()
                .filter(file ->
                        file.startsWith(Checkout.ROOT.resolve("examples").resolve(example)))
                .findFirst()
                .orElseThrow();

        assertThat(needed).isNotEmpty();
        assertThat(Checkout.read(first).lines().findFirst().orElseThrow())
                .startsWith("# Needs ")
                .contains(needed);
    }

    @Test
    void theLibraryForTestsIsNamedInTheVersionsOfTheBuild() {
        var build = Checkout.read(Checkout.ROOT.resolve("pom.xml"));
        var versions = Pattern.compile("<version(?:\\.junit)?>([^<]+)</version");
        var ours = versions.matcher(build).results().limit(1).map(found -> found.group(1));
        var junit = versions.matcher(build)
                .results()
                .filter(found -> found.group().startsWith("<version.junit>"))
                .map(found -> found.group(1));

        assertThat(versions.matcher(Checkout.read(Checkout.ROOT.resolve("docs/junit.md")))
                        .results()
                        .map(found -> found.group(1)))
                .containsExactlyElementsOf(Stream.concat(ours, junit).toList());
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

    static List<String> brokenLinks(Path document) {
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

package dev.towtank.app.lint.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Files that tests read, told from those that people apply: they are often wrong on purpose. Known by the names of
/// folders and files, by a test beside them that names them, and by a comment that says so. Whoever names such a folder
/// means it.
final class TestData {

    private static final Pattern FOLDER =
            Pattern.compile("tests?|testing|testsuites?|__tests?__|__snapshots?__|molecule|expected"
                    + "|tests?[-_.]?(cases?|data|files?|fixtures?|resources|manifests?|assets|inputs?|suites?|e2e)"
                    + "|(integration|unit|acceptance|system|smoke|functional|regression|conformance|helm|go|cli)"
                    + "[-_.]?tests?"
                    + "|\\.github|with[-_](.*[-_])?errors?|.+\\.canary");

    /// A folder of which these are a word is one for tests, whatever else its name says.
    private static final Set<String> WORDS = Set.of(
            "testdata",
            "fixture",
            "fixtures",
            "fake",
            "fakes",
            "golden",
            "goldens",
            "invalid",
            "malformed",
            "broken",
            "wrong",
            "incorrect",
            "negative",
            "e2e",
            "kuttl",
            "chainsaw",
            "unittest",
            "unittests");

    private static final Pattern WRONG_FILE = Pattern.compile("invalid.*"
            + "|(bad|wrong|broken|malformed|negative|expected|golden|disallowed|e2e)([-_.\\d].*)?"
            + "|.*[-_.](invalid|bad|wrong|broken|malformed|negative|expected|golden|disallowed|fixture)\\d*"
            + "|.*[_.]test");

    /// Beside one of these, all is for a test.
    private static final Pattern SCENARIO =
            Pattern.compile("(chainsaw|kuttl|kyverno)-test\\.ya?ml|(.*[-_])?(assert|errors)(-\\d+)?\\.ya?ml");

    private static final Pattern PROGRAM = Pattern.compile(
            ".*_test\\.(go|py|rego|rb)|test_.*\\.py|.*(Tests?|IT)\\.(java|kt)|.*\\.(spec|test|stories)\\.[jt]sx?"
                    + "|.*\\.bats");

    private static final String ON_PURPOSE = "((intentional|deliberate|purpose)ly|on purpose)";
    private static final String WRONG = "(invalid|wrong|broken|malformed|incorrect)";

    private static final Pattern COMMENT = Pattern.compile("(?im)^\\s*#.*\\b("
            + ON_PURPOSE + ".*\\b" + WRONG
            + "|" + WRONG + "\\b.*\\b" + ON_PURPOSE
            + "|(should|must|will|expected to) (be (rejected|refused|denied|invalid)|(fail|not pass) validation))\\b");

    private static final Pattern STAGES =
            Pattern.compile("overlays?|env(ironment)?s?|clusters?|stages?|deploy(ments?)?");
    private static final Pattern OTHER_STAGE =
            Pattern.compile("prod(uction)?|dev(el(op(ment)?)?)?|stag(e|ing)|qa|uat|preprod|live|base");

    private static final int LONGEST_TEST = 1024 * 1024;
    private static final int MOST_TESTS = 50;
    private static final int HEAD = 2048;
    private static final int HIGHEST = 16;

    private final Path root;
    private final boolean isMeant;
    private final Map<Path, Folder> folders = new HashMap<>();

    /// @param isTest whether all that is in it is test data
    /// @param tests the text of the tests in it
    private record Folder(boolean isTest, String tests) {}

    /// @param root the directory that was named
    TestData(Path root) {
        this.root = root;
        this.isMeant = isMeant(root.toAbsolutePath().normalize());
    }

    private static boolean isMeant(Path named) {
        boolean isMarked = false;
        var each = named;
        for (int i = 0; i < HIGHEST && each != null; i++) {
            if (Files.exists(each.resolve(".git"))) {
                return isMarked;
            }
            isMarked |= isMarked(each);
            each = each.getParent();
        }
        return isMarked(named);
    }

    boolean has(Path file) {
        var parent = file.getParent();
        if (isMeant || parent == null) {
            return false;
        }
        var folder = folder(parent);
        var name = name(file);
        return folder.isTest
                || WRONG_FILE.matcher(stem(name)).matches()
                || isNamed(name, folder.tests)
                || (!parent.equals(root) && isNamed(name(parent) + "/" + name, tests(parent.getParent())))
                || COMMENT.matcher(head(file)).find();
    }

    private String tests(@Nullable Path folder) {
        return folder == null ? "" : folder(folder).tests;
    }

    private static boolean isNamed(String file, String tests) {
        int at = tests.indexOf(file);
        while (at > 0 && !"\"'`/".contains(tests.substring(at - 1, at))) {
            at = tests.indexOf(file, at + 1);
        }
        return at > 0;
    }

    private Folder folder(Path folder) {
        var known = folders.get(folder);
        if (known == null) {
            var above = folder.getParent();
            boolean isBelow = !folder.equals(root) && above != null && folder(above).isTest;
            known = isBelow || (!folder.equals(root) && isMarked(folder)) ? new Folder(true, "") : look(folder);
            folders.put(folder, known);
        }
        return known;
    }

    private static boolean isMarked(Path folder) {
        var name = name(folder).toLowerCase(Locale.ROOT);
        return List.of(name.split("[-_.]+|(?<=testdata)\\d", -1)).stream().anyMatch(WORDS::contains)
                || (name.equals("it")
                        && name(folder.resolveSibling("..").normalize()).equals("src"))
                || (FOLDER.matcher(name).matches() && !(name.startsWith("test") && isStage(folder)));
    }

    /// Whether a folder is called `test` because what is in it is deployed for tests, as others are for production.
    private static boolean isStage(Path folder) {
        var above = folder.toAbsolutePath().getParent();
        return above != null
                && (STAGES.matcher(name(above)).matches()
                        || list(above).stream()
                                .anyMatch(
                                        each -> OTHER_STAGE.matcher(name(each)).matches()));
    }

    private static Folder look(Path folder) {
        var files = list(folder);
        boolean isScenario =
                files.stream().anyMatch(each -> SCENARIO.matcher(name(each)).matches());
        return new Folder(
                isScenario,
                files.stream()
                        .filter(each -> PROGRAM.matcher(name(each)).matches())
                        .limit(MOST_TESTS)
                        .map(each -> start(each, LONGEST_TEST))
                        .collect(Collectors.joining("\n")));
    }

    private static List<Path> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static String head(Path file) {
        return start(file, HEAD);
    }

    private static String start(Path file, int bytes) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static String name(Path path) {
        var name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    private static String stem(String name) {
        return name.replaceFirst("\\.[A-Za-z]+$", "").toLowerCase(Locale.ROOT);
    }
}

package dev.towtank.app.lint.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which files of values somebody gives to a chart: those in `ci/`, with which it is tested, and those that a script,
/// an
/// Application, a page or whatever else of the repository names. The others may be anything, such as data of a console.
final class GivenValues {

    private static final Pattern NO_PART_OF_A_PATH = Pattern.compile("[^\\w./*@+-]+");
    private static final int LONGEST = 300;

    /// What is only known when somebody fills it in.
    private static final Pattern OPEN =
            Pattern.compile("\\{\\{[^{}]*}}|\\$\\{[^{}]*}|\\$\\([^()]*\\)|\\$\\w+|<[\\w-]+>|\\{\\w*}");

    /// In one name: each more is another round over all its letters.
    private static final int MOST_OPEN = 3;

    private static final int MOST = 2000;

    private final Map<Path, Said> known = new HashMap<>();

    /// @param words paths of files, by the files that have them
    private record Said(Map<Path, List<Pattern>> words) {
        boolean has(Path file) {
            return words.entrySet().stream()
                    .filter(each -> !each.getKey().equals(file))
                    .flatMap(each -> each.getValue().stream())
                    .anyMatch(word -> word.matcher(file.toString()).matches());
        }
    }

    /// @param file below the chart
    synchronized boolean has(Path chart, String file) {
        if (file.startsWith("ci/")) {
            return true;
        }
        var whole = chart.toAbsolutePath().normalize().resolve(file);
        var root = Mentions.root(chart.toAbsolutePath().normalize());
        return known.computeIfAbsent(root, GivenValues::read).has(whole);
    }

    private static Said read(Path root) {
        var words = new HashMap<Path, List<Pattern>>();
        Mentions.said(root, GivenValues::words)
                .forEach((by, names) -> words.put(
                        by,
                        names.stream()
                                .distinct()
                                .limit(MOST)
                                .map(name -> pattern(by, name))
                                .toList()));
        return new Said(words);
    }

    static Stream<String> words(String line) {
        if (!line.contains("values")) {
            return Stream.empty();
        }
        return NO_PART_OF_A_PATH
                .splitAsStream(OPEN.matcher(line).replaceAll("*"))
                .filter(word -> word.length() <= LONGEST && word.contains("values") && word.matches(".*\\.ya?ml"))
                .filter(word -> word.chars().filter(letter -> letter == '*').count() <= MOST_OPEN);
    }

    /// Where a path begins is seldom known.
    private static Pattern pattern(Path by, String path) {
        var there = path.startsWith(".") ? by.resolveSibling(path).normalize() : by;
        if (!there.equals(by) && Files.exists(there)) {
            return Pattern.compile(Pattern.quote(there.toString()));
        }
        var known = path.replaceFirst("^((\\.{0,2}|\\*)/)+", "");
        return Pattern.compile(".*/"
                + Arrays.stream(known.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^/]*")));
    }
}

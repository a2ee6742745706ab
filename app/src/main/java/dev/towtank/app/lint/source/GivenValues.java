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

/// Which files of values somebody gives to a chart: those in `ci/`, with which it is tested, and those that something
/// of
/// the repository names, such as a script, an Application or a page. The others may be data of a console, or anything.
final class GivenValues {

    private static final Pattern NO_PART_OF_A_PATH = Pattern.compile("[^\\w./*@+-]+");
    private static final int LONGEST = 300;

    /// In one name: each more is another round over all its letters.
    private static final int MOST_OPEN = 3;

    /// Of all files together: each file of values is held against each of them.
    private static final int MOST = 5000;

    private final Map<Path, Said> known = new HashMap<>();

    /// @param by the file that has the word
    private record Word(Path by, Pattern path) {}

    private record Said(List<Word> words) {
        boolean has(Path file) {
            return words.stream()
                    .anyMatch(word -> !word.by.equals(file)
                            && word.path.matcher(file.toString()).matches());
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
        return new Said(Mentions.said(root, GivenValues::words).entrySet().stream()
                .flatMap(file -> file.getValue().stream()
                        .distinct()
                        .map(name -> new Word(file.getKey(), pattern(root, file.getKey(), name))))
                .limit(MOST)
                .toList());
    }

    static Stream<String> words(String line) {
        if (!line.contains("values")) {
            return Stream.empty();
        }
        return NO_PART_OF_A_PATH
                .splitAsStream(OpenParts.starred(line))
                .filter(word -> word.length() <= LONGEST && word.contains("values") && word.matches(".*\\.ya?ml"))
                .filter(word -> word.chars().filter(letter -> letter == '*').count() <= MOST_OPEN);
    }

    /// Where a path begins is seldom known.
    private static Pattern pattern(Path root, Path by, String path) {
        var there = path.startsWith(".") ? by.resolveSibling(path).normalize() : by;
        if (!there.equals(by) && there.startsWith(root) && Files.exists(there)) {
            return Pattern.compile(Pattern.quote(there.toString()));
        }
        var known = path.replaceFirst("^((\\.{0,2}|\\*)/)+", "");
        return Pattern.compile(".*/"
                + Arrays.stream(known.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^/]*")));
    }
}

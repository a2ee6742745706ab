package dev.towtank.app.lint.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Signs that a file is not applied as it is: what it is called, and where it lies.
final class Doubts {

    /// Folders of what is shown, tried or taught, of parts, and of what comes from elsewhere.
    private static final Set<String> WORDS = Set.of(
            ("doc docs documentation example examples exmaple sample samples demo demos tutorial tutorials workshop"
                            + " workshops labs exercise exercises lesson lessons course courses solution solutions"
                            + " quickstart quickstarts cheatsheet template templates tmpl snippet snippets skeleton"
                            + " scaffold boilerplate blueprint blueprints patch patches overlaypatches test tests"
                            + " testing testdata fixtures golden mock mocks sandbox playground poc scratch experiment experiments experimental"
                            + " tmp temp backup backups bak old archive archived legacy deprecated generated gen"
                            + " upstream dump hack ci prow blog posts content static public benchmark benchmarks")
                    .split(" ", -1));

    /// Folders from which a program reads what it completes.
    private static final Pattern OF_A_PROGRAM = Pattern.compile(
            "(^|[/\\\\])(\\.lighthouse|bindata|embed(ded)?|pkg|cmd|assets|carvel|ytt|main[/\\\\]resources)[/\\\\]"
                    + "|^internal[/\\\\]");

    /// Where a word begins in `pipelineTemplate`.
    private static final Pattern WORD_IN_WORD = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private Doubts() {}

    /// Whether a folder above, or the file, is called after something that is not applied as it is.
    static boolean areThereOf(String inside) {
        return List.of(WORD_IN_WORD
                        .matcher(inside)
                        .replaceAll("-")
                        .toLowerCase(Locale.ROOT)
                        .replaceFirst("\\.(ya?ml|json)$", "")
                        .split("[/\\\\_.-]+", -1))
                .stream()
                .anyMatch(WORDS::contains);
    }

    /// Whether the answer to an exercise lies beside it.
    static boolean hasASolution(Path file) {
        return Files.isDirectory(file.resolveSibling("solution"))
                || Files.isDirectory(file.resolveSibling("solutions"));
    }

    /// Whether it is one of the manifests beside a program in Go, which applies them without being strict.
    static boolean isAppliedByAProgram(Path file) {
        return Stream.iterate(file.getParent(), each -> each != null, Path::getParent)
                .anyMatch(folder -> folder.endsWith("manifests") && Files.exists(folder.resolveSibling("main.go")));
    }

    /// Whether it lies where programs keep what they fill in.
    static boolean isOfAProgram(String inside) {
        return OF_A_PROGRAM.matcher(inside).find();
    }
}

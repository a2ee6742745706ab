package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.OpenParts;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Folders of a repository as somebody writes them: `deploy/prod`, `apps/*`, `clusters/${CLUSTER}/apps`.
///
/// @param path where all of it is known
/// @param pattern of what it may be; from any folder on, where it is not known where it begins
record Folders(Optional<Path> path, Pattern pattern) {

    private static final String ANY = "*";

    /// In one name: each more is another round over all its letters.
    private static final int MOST_OPEN = 2;

    /// @return nothing where it may be anywhere
    static Optional<Folders> of(String written) {
        var text = OpenParts.starred(written);
        if (text.contains("**")) {
            return Optional.empty();
        }
        var plain = text.replaceFirst("^(\\./)*/*", "").replaceFirst("/+$", "");
        if (!plain.contains(ANY)) {
            return path(plain).map(path -> new Folders(Optional.of(path), Pattern.compile(Pattern.quote(plain))));
        }
        var known = plain.replaceFirst("^(\\.\\./)+", "").replaceFirst("^(\\*/)+", "");
        var parts = known.split("/", -1);
        boolean isAnywhere = Arrays.stream(parts).allMatch(part -> part.contains(ANY));
        if (isAnywhere || Arrays.stream(parts).anyMatch(part -> part.split("\\*", -1).length > MOST_OPEN + 1)) {
            return Optional.empty();
        }
        var pattern = Arrays.stream(parts)
                .map(part ->
                        Arrays.stream(part.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^/]*")))
                .collect(Collectors.joining("/"));
        var beginning = known.equals(plain) ? "" : "(?:.*/)?";
        return Optional.of(new Folders(Optional.empty(), Pattern.compile(beginning + pattern)));
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// @param folder from the top of the repository, or from where it was written
    boolean match(Path folder) {
        return path.map(folder::equals)
                .orElseGet(() -> pattern.matcher(folder.toString()).matches());
    }
}

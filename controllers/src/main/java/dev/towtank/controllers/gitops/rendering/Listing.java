package dev.towtank.controllers.gitops.rendering;

import dev.towtank.controllers.gitops.api.ProjectGlobs;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/// What a git generator finds in a repository.
///
/// @param files their contents, by their paths
public record Listing(List<String> directories, Map<String, String> files) {

    private static final long MOST_CHARACTERS = 16L << 20;

    public Listing {
        directories = List.copyOf(directories);
        files = Map.copyOf(files);
    }

    /// @throws IllegalArgumentException for people: what is wrong with the question
    public static Listing of(ListingQuestion question, Map<String, byte[]> tree) {
        var directories = new TreeSet<String>();
        var files = new TreeMap<String, String>();
        long characters = 0;
        for (var entry : tree.entrySet()) {
            var file = entry.getKey();
            for (int slash = file.indexOf('/'); slash > 0; slash = file.indexOf('/', slash + 1)) {
                directories.add(file.substring(0, slash));
            }
            if (isChosen(question.files(), pattern -> ProjectGlobs.matches(pattern, file))) {
                var text = new String(entry.getValue(), StandardCharsets.UTF_8);
                characters += text.length();
                files.put(file, text);
            }
        }
        if (characters > MOST_CHARACTERS) {
            throw new IllegalArgumentException("the files of the git generator have more than " + MOST_CHARACTERS
                    + " characters: name fewer of them");
        }
        var chosen = new ArrayList<String>();
        for (var directory : directories) {
            boolean isHidden = ("/" + directory).contains("/.");
            if (!isHidden && isChosen(question.directories(), pattern -> isNamed(pattern, directory))) {
                chosen.add(directory);
            }
        }
        return new Listing(chosen, files);
    }

    private static boolean isChosen(List<Json.Obj> patterns, Predicate<String> matches) {
        return patterns.stream().anyMatch(each -> !each.flag("exclude") && matches.test(each.string("path")))
                && patterns.stream().noneMatch(each -> each.flag("exclude") && matches.test(each.string("path")));
    }

    /// Here a star does not stand for slashes.
    private static boolean isNamed(String pattern, String directory) {
        try {
            var glob = FileSystems.getDefault().getPathMatcher("glob:" + pattern.replaceAll("/+$", ""));
            return glob.matches(Path.of(directory));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("the pattern " + pattern + " cannot be read: " + e.getDescription(), e);
        }
    }
}

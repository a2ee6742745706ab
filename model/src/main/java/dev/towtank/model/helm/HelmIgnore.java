package dev.towtank.model.helm;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The rules of a `.helmignore`: which files of a folder do not belong to the chart.
public record HelmIgnore(List<Rule> rules) {

    /// @param negated whether what matches is kept
    /// @param onlyFolders whether a file of the name is kept
    /// @param wholePath whether the pattern is about the path and not the name alone
    public record Rule(Pattern pattern, boolean negated, boolean onlyFolders, boolean wholePath) {}

    public static HelmIgnore of(byte @Nullable [] text) {
        var rules = new ArrayList<Rule>();
        rules.add(rule("templates/.?*"));
        if (text != null) {
            for (var line : new String(text, StandardCharsets.UTF_8).split("\n", -1)) {
                var stripped = line.strip();
                if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                    rules.add(rule(stripped));
                }
            }
        }
        return new HelmIgnore(rules);
    }

    private static Rule rule(String line) {
        if (line.contains("**")) {
            throw new HelmError("double-star (**) syntax is not supported");
        }
        boolean negated = line.startsWith("!");
        var pattern = negated ? line.substring(1) : line;
        boolean onlyFolders = pattern.endsWith("/");
        pattern = onlyFolders ? pattern.substring(0, pattern.length() - 1) : pattern;
        boolean anchored = pattern.startsWith("/");
        pattern = anchored ? pattern.substring(1) : pattern;
        return new Rule(PathGlobs.pattern(pattern), negated, onlyFolders, anchored || pattern.contains("/"));
    }

    /// What is left of files.
    Map<String, byte[]> filter(Map<String, byte[]> files) {
        var kept = new TreeMap<String, byte[]>();
        files.forEach((path, content) -> {
            if (!ignores(path)) {
                kept.put(path, content);
            }
        });
        return kept;
    }

    // A file is out when it, or a folder that it is in, is.
    public boolean ignores(String path) {
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            if (matches(path.substring(0, slash), true)) {
                return true;
            }
        }
        return matches(path, false);
    }

    private boolean matches(String path, boolean isFolder) {
        for (var rule : rules) {
            if (rule.onlyFolders() && !isFolder) {
                continue;
            }
            var subject = rule.wholePath() ? path : path.substring(path.lastIndexOf('/') + 1);
            boolean found = rule.pattern().matches(subject);
            // The first that says so counts; one that is negated is about all that it does not match.
            if (rule.negated() ? !found : found) {
                return true;
            }
        }
        return false;
    }
}

package dev.towtank.model.wording;

import dev.towtank.model.JsonText;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.composer.ComposerException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.scanner.ScannerException;

/// What Go's reader of YAML says about text that is none: clients and people look for its words.
///
/// Both readers descend from the same one, so that what one finds wrong the other does, in other words.
public final class GoYaml {

    /// By how the problem begins.
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("mapping values are not allowed here", "mapping values are not allowed in this context"),
            Map.entry("mapping keys are not allowed here", "mapping keys are not allowed in this context"),
            Map.entry(
                    "sequence entries are not allowed here", "block sequence entries are not allowed in this context"),
            Map.entry("found character", "found character that cannot start any token"),
            Map.entry("found unknown escape character", "found unknown escape character"),
            Map.entry("expected alphabetic or numeric", "did not find expected alphabetic or numeric character"),
            Map.entry("expected ',' or ']'", "did not find expected ',' or ']'"),
            Map.entry("expected ',' or '}'", "did not find expected ',' or '}'"),
            Map.entry("expected '<document start>'", "did not find expected <document start>"),
            Map.entry("expected the node content", "did not find expected node content"));

    private GoYaml() {}

    /// In Go's words; empty where the problem is one that only this reader has.
    public static Optional<String> problem(JsonText.Malformed malformed) {
        return malformed.getCause() instanceof MarkedYAMLException e
                ? words(e).map(problem -> "yaml: " + problem)
                : Optional.empty();
    }

    private static Optional<String> words(MarkedYAMLException e) {
        var problem = e.getProblem() == null ? "" : e.getProblem();
        if (e instanceof ComposerException && problem.startsWith("found undefined alias")) {
            return Optional.of(
                    "unknown anchor '" + problem.replaceFirst("found undefined alias ", "") + "' referenced");
        }
        if (problem.startsWith("expected <block end>")) {
            boolean isMapping = String.valueOf(e.getContext()).endsWith("mapping");
            return Optional.of(
                    where(e) + (isMapping ? "did not find expected key" : "did not find expected '-' indicator"));
        }
        return WORDS.entrySet().stream()
                .filter(entry -> problem.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .or(() -> e instanceof ScannerException ? Optional.of(problem) : Optional.empty())
                .map(words -> where(e) + words);
    }

    /// Go counts from zero, adds one for what its scanner finds only, and is silent about the first line.
    private static String where(MarkedYAMLException e) {
        int line = line(e.getContextMark());
        if (line == 0) {
            line = line(e.getProblemMark());
        }
        if (line == 0) {
            return "";
        }
        return "line " + (e instanceof ScannerException ? line + 1 : line) + ": ";
    }

    private static int line(@Nullable Mark mark) {
        return mark == null ? 0 : mark.getLine();
    }
}

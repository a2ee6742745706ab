package dev.towtank.controllers.triggers.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What is wrong with an object, collected from the leaves: each level adds its own step to the paths.
final class TriggerProblems {

    private record Problem(String message, List<String> paths, String details) {}

    private final List<Problem> found = new ArrayList<>();

    static TriggerProblems of(String message, String... paths) {
        return of(message, "", List.of(paths));
    }

    private static TriggerProblems of(String message, String details, List<String> paths) {
        var problems = new TriggerProblems();
        problems.found.add(new Problem(message, paths, details));
        return problems;
    }

    static TriggerProblems missing(String path) {
        return of("missing field(s)", path);
    }

    static TriggerProblems disallowed(String path) {
        return of("must not set the field(s)", path);
    }

    static TriggerProblems neither(String... paths) {
        return of("expected exactly one, got neither", paths);
    }

    static TriggerProblems both(String... paths) {
        return of("expected exactly one, got both", paths);
    }

    static TriggerProblems invalid(String value, String path) {
        return of("invalid value: " + value, path);
    }

    static TriggerProblems invalid(String value, String path, String details) {
        return of("invalid value: " + value, details, List.of(path));
    }

    TriggerProblems add(TriggerProblems others) {
        found.addAll(others.found);
        return this;
    }

    TriggerProblems addIf(boolean isWrong, TriggerProblems others) {
        return isWrong ? add(others) : this;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    TriggerProblems below(String field) {
        var under = new TriggerProblems();
        for (var problem : found) {
            var paths = problem.paths.stream().map(path -> joined(field, path)).toList();
            under.found.add(new Problem(problem.message, paths, problem.details));
        }
        return under;
    }

    private static String joined(String field, String path) {
        return path.isEmpty() ? field : path.startsWith("[") ? field + path : field + "." + path;
    }

    /// One line for each message with all its paths, sorted.
    String text() {
        var lines = new TreeMap<String, TreeSet<String>>();
        for (var problem : found) {
            lines.computeIfAbsent(problem.message + "\0" + problem.details, _ -> new TreeSet<>())
                    .addAll(problem.paths);
        }
        return lines.entrySet().stream()
                .map(line -> {
                    var parts = line.getKey().split("\0", 2);
                    var text = parts[0] + ": " + String.join(", ", line.getValue());
                    return parts[1].isEmpty() ? text : text + "\n" + parts[1];
                })
                .collect(Collectors.joining("\n"));
    }
}

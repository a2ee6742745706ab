package dev.towtank.controllers.pipelines.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What is wrong with an object, collected from the leaves: each level of the object adds its own step to the
/// paths.
final class Problems {

    private final List<Problem> found = new ArrayList<>();

    static Problems none() {
        return new Problems();
    }

    static Problems of(String message, String details, String... paths) {
        var problems = new Problems();
        problems.found.add(new Problem(message, Arrays.asList(paths), details));
        return problems;
    }

    static Problems generic(String message, String... paths) {
        return of(message, "", paths);
    }

    static Problems missing(String... paths) {
        return generic("missing field(s)", paths);
    }

    static Problems disallowed(String... paths) {
        return generic("must not set the field(s)", paths);
    }

    static Problems missingOneOf(String... paths) {
        return generic("expected exactly one, got neither", paths);
    }

    static Problems multipleOneOf(String... paths) {
        return generic("expected exactly one, got both", paths);
    }

    static Problems invalid(String value, String path) {
        return generic("invalid value: " + value, path);
    }

    static Problems invalid(String value, String path, String details) {
        return of("invalid value: " + value, details, path);
    }

    static Problems invalidKey(String name, String path, String details) {
        return of("invalid key name " + GoText.quote(name), details, path);
    }

    static Problems outOfBounds(long value, long lowest, long highest, String path) {
        return generic("expected " + lowest + " <= " + value + " <= " + highest, path);
    }

    Problems add(Problems others) {
        found.addAll(others.found);
        return this;
    }

    Problems addIf(boolean isWrong, String message, String path) {
        return isWrong ? add(generic(message, path)) : this;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    Problems without(String path) {
        found.removeIf(problem -> problem.paths().equals(List.of(path)));
        return this;
    }

    Problems via(String field) {
        if (found.isEmpty()) {
            return this;
        }
        var under = new Problems();
        for (var problem : found) {
            var paths =
                    problem.paths().stream().map(path -> joined(field, path)).toList();
            under.found.add(new Problem(problem.message(), paths, problem.details()));
        }
        return under;
    }

    Problems viaIndex(int index) {
        return via("[" + index + "]");
    }

    Problems viaKey(String key) {
        return via("[" + key + "]");
    }

    Problems viaFieldIndex(String field, int index) {
        return viaIndex(index).via(field);
    }

    Problems viaFieldKey(String field, String key) {
        return viaKey(key).via(field);
    }

    // An index sticks to the step before it; a key with a dot in it falls apart and does not.
    private static String joined(String field, String path) {
        var steps = new StringBuilder();
        for (var part : List.of(field, path)) {
            for (var step : part.split("\\.", -1)) {
                boolean isIndex = step.startsWith("[") && step.endsWith("]");
                if (!step.isEmpty()) {
                    steps.append(steps.isEmpty() || isIndex ? "" : ".").append(step);
                }
            }
        }
        return steps.toString();
    }

    /// One problem per message with all its paths, sorted.
    List<Problem> merged() {
        record Kind(String message, String details) {}
        var paths = new LinkedHashMap<Kind, TreeSet<String>>();
        for (var problem : found) {
            paths.computeIfAbsent(new Kind(problem.message(), problem.details()), _ -> new TreeSet<>())
                    .addAll(problem.paths());
        }
        var sorted = new TreeMap<String, Problem>();
        paths.forEach((kind, all) -> sorted.put(
                kind.message + "\0" + kind.details, new Problem(kind.message, List.copyOf(all), kind.details)));
        return List.copyOf(sorted.values());
    }

    /// As Tekton tells them: one after the other, each on its own line.
    static String text(List<Problem> problems) {
        return problems.stream().map(Problem::text).collect(Collectors.joining("\n"));
    }
}

package dev.towtank.app.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The command line of our own small kubectl.
///
/// @param words without the verb
record KubectlLine(String verb, List<String> words, Map<String, List<String>> flags) {

    static final String SMALL = "this is Towtank's own small kubectl, because the machine has none; installing"
            + " kubernetes-client there gives pods the whole one";

    private static final Map<String, String> SHORT = Map.of(
            "-n",
            "--namespace",
            "-o",
            "--output",
            "-l",
            "--selector",
            "-p",
            "--patch",
            "-c",
            "--container",
            "-A",
            "--all-namespaces");
    private static final Set<String> WITH_VALUE = Set.of(
            "--namespace",
            "--output",
            "--selector",
            "--field-selector",
            "--filename",
            "--patch",
            "--type",
            "--for",
            "--timeout",
            "--container",
            "--tail",
            "--since",
            "--grace-period",
            "--field-manager",
            "--cascade");
    private static final Set<String> ALONE = Set.of(
            "--all-namespaces",
            "--all",
            "--ignore-not-found",
            "--overwrite",
            "--follow",
            "--wait",
            "--force",
            "--server-side",
            "--force-conflicts",
            "--no-headers",
            "--timestamps",
            "--previous",
            "--now");

    KubectlLine {
        words = List.copyOf(words);
        flags = Map.copyOf(flags);
    }

    static KubectlLine parse(List<String> arguments) {
        var words = new ArrayList<String>();
        var flags = new HashMap<String, List<String>>();
        var waiting = "";
        boolean literal = false;
        for (var argument : arguments) {
            if (!waiting.isEmpty()) {
                flags.computeIfAbsent(waiting, _ -> new ArrayList<>()).add(argument);
                waiting = "";
            } else if (literal || !argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
            } else if (argument.equals("--")) {
                literal = true;
            } else {
                waiting = flag(argument, words.isEmpty() ? "" : words.getFirst(), flags);
            }
        }
        if (!waiting.isEmpty()) {
            throw new ClientProblem("flag needs an argument: " + waiting);
        }
        return words.isEmpty()
                ? new KubectlLine("help", List.of(), flags)
                : new KubectlLine(words.getFirst(), words.subList(1, words.size()), flags);
    }

    /// The flag's name when its value is yet to come.
    private static String flag(String argument, String verb, Map<String, List<String>> flags) {
        int equals = argument.indexOf('=');
        var name = equals < 0 ? argument : argument.substring(0, equals);
        var value = equals < 0 ? Optional.<String>empty() : Optional.of(argument.substring(equals + 1));
        if (!name.startsWith("--") && name.length() > 2) { // -ojson
            value = Optional.of(argument.substring(2));
            name = name.substring(0, 2);
        }
        var full = name.equals("-f") ? verb.equals("logs") ? "--follow" : "--filename" : SHORT.getOrDefault(name, name);
        if (ALONE.contains(full)) {
            flags.put(full, List.of(value.orElse("true")));
            return "";
        }
        if (!WITH_VALUE.contains(full)) {
            throw new ClientProblem("unknown flag: " + name + " (" + SMALL + ")");
        }
        value.ifPresent(
                given -> flags.computeIfAbsent(full, _ -> new ArrayList<>()).add(given));
        return value.isPresent() ? "" : full;
    }

    boolean has(String flag) {
        return flags.getOrDefault(flag, List.of("false")).getLast().equals("true");
    }

    /// Empty when it was not given.
    String value(String flag) {
        return flags.getOrDefault(flag, List.of("")).getLast();
    }

    List<String> values(String flag) {
        return flags.getOrDefault(flag, List.of());
    }
}

package dev.towtank.app.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// What a command line asks for: kinds, each with the names that are wanted, or with none for all.
record Wanted(List<Part> parts) {

    record Part(ResourceType type, List<String> names) {
        Part {
            names = List.copyOf(names);
        }
    }

    Wanted {
        parts = List.copyOf(parts);
    }

    boolean severalKinds() {
        return parts.size() > 1;
    }

    /// Reads `pods`, `pods,services`, `pod one two`, or `pod/one service/two`.
    static Wanted parse(List<String> words, Discovery discovery) {
        boolean slashed = words.stream().anyMatch(word -> word.contains("/"));
        return slashed ? parseSlashed(words, discovery) : parsePlain(words, discovery);
    }

    private static Wanted parsePlain(List<String> words, Discovery discovery) {
        var names = words.subList(1, words.size());
        var parts = new ArrayList<Part>();
        for (var word : words.getFirst().split(",", -1)) {
            for (var type : discovery.of(word)) {
                parts.add(new Part(type, names));
            }
        }
        return new Wanted(parts);
    }

    private static Wanted parseSlashed(List<String> words, Discovery discovery) {
        var parts = new LinkedHashMap<ResourceType, List<String>>();
        for (var word : words) {
            int slash = word.indexOf('/');
            if (slash <= 0 || slash == word.length() - 1) {
                throw new ClientProblem(
                        "\"" + word + "\" is not of the form KIND/NAME. Write either 'KIND NAME NAME' or"
                                + " 'KIND/NAME KIND/NAME'.");
            }
            for (var type : discovery.of(word.substring(0, slash))) {
                parts.computeIfAbsent(type, _ -> new ArrayList<>()).add(word.substring(slash + 1));
            }
        }
        return new Wanted(parts.entrySet().stream()
                .map(part -> new Part(part.getKey(), part.getValue()))
                .toList());
    }
}

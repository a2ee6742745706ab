package dev.towtank.app.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The kinds that a server has, and which words mean them.
public record Discovery(List<ResourceType> types) {
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    public Discovery {
        types = List.copyOf(types);
    }

    public static Discovery of(ApiClient client) {
        var types = new LinkedHashMap<String, ResourceType>();
        for (var path : List.of("/api", "/apis")) {
            var answer = client.get(path, AGGREGATED);
            if (!answer.string("kind").equals("APIGroupDiscoveryList")) {
                throw new ClientProblem("The server is too old to say which kinds it has: it needs Kubernetes 1.30.");
            }
            for (var group : answer.objects("items")) {
                var name = group.string("metadata", "name");
                for (var version : group.objects("versions")) {
                    for (var resource : version.objects("resources")) {
                        var type = ResourceType.read(name, version.string("version"), resource);
                        // The version that the server prefers comes first.
                        types.putIfAbsent(type.plural() + "." + type.group(), type);
                    }
                }
            }
        }
        return new Discovery(List.copyOf(types.values()));
    }

    /// What a word means: one kind by any of its names, or all of a category.
    List<ResourceType> of(String word) {
        for (var type : types) {
            if (type.answersTo(word)) {
                return List.of(type);
            }
        }
        var category = types.stream()
                .filter(type -> type.categories().contains(word) && type.verbs().contains("list"))
                .toList();
        if (category.isEmpty()) {
            throw new ClientProblem("The server has no kind \"" + word + "\"." + suggestion(word)
                    + " 'towtank get' without arguments lists them all.");
        }
        return category;
    }

    private String suggestion(String word) {
        var close = new ArrayList<String>();
        for (var type : types) {
            if (distance(word, type.plural()) <= 2 || distance(word, type.singular()) <= 2) {
                close.add(type.plural());
            }
        }
        return close.isEmpty() ? "" : " Did you mean " + String.join(" or ", close) + "?";
    }

    /// How many letters must be changed, added or removed to get from one word to the other.
    static int distance(String one, String other) {
        var row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[other.length()];
    }
}

package dev.towtank.cluster;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// What the identity of a feature may do: a rule of RBAC, in one line.
///
/// @param groups `""` is the core group; `*` is any
/// @param resources plurals, with `/status` and the like; `*` is any
public record Permission(List<String> verbs, List<String> groups, List<String> resources) {

    /// What every feature may without saying so: tell of objects, and count what it has told already.
    public static final List<Permission> EVENTS = read("get create update patch | core events.k8s.io | events");

    public Permission {
        verbs = List.copyOf(verbs);
        groups = List.copyOf(groups);
        resources = List.copyOf(resources);
    }

    /// Reads lines such as `read create | core apps | pods deployments/status`, where `read` is get, list and watch,
    /// and
    /// `write` is create, update, patch and delete.
    public static List<Permission> read(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(Permission::of)
                .toList();
    }

    private static Permission of(String line) {
        var parts = line.split("\\|", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("no permission: " + line);
        }
        var verbs = new ArrayList<String>();
        for (var word : words(parts[0])) {
            switch (word) {
                case "read" -> verbs.addAll(List.of("get", "list", "watch"));
                case "write" -> verbs.addAll(List.of("create", "update", "patch", "delete"));
                default -> verbs.add(word);
            }
        }
        var groups = words(parts[1]).stream()
                .map(group -> group.equals("core") ? "" : group)
                .toList();
        return new Permission(verbs, groups, words(parts[2]));
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    public boolean allows(String verb, String group, String resource) {
        return has(verbs, verb) && has(groups, group) && has(resources, resource);
    }

    private static boolean has(List<String> values, String value) {
        return values.contains("*") || values.contains(value);
    }

    /// As RBAC writes it.
    public Json.Obj json() {
        return Json.Obj.of("verbs", texts(verbs), "apiGroups", texts(groups), "resources", texts(resources));
    }

    private static Json.Arr texts(List<String> values) {
        return new Json.Arr(values.stream().<Json>map(Json::of).toList());
    }
}

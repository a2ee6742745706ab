package dev.towtank.apiserver;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Who makes a request. Everybody has one, callers inside the process too.
public record User(String name, String uid, Set<String> groups, Map<String, List<String>> extra) {

    public static final String ALL_AUTHENTICATED = "system:authenticated";
    public static final String MASTERS = "system:masters";

    public static final User ANONYMOUS = new User("system:anonymous", "", Set.of("system:unauthenticated"), Map.of());

    public User {
        groups = Set.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    public static User of(String name, String... groups) {
        return new User(name, "", Set.of(groups), Map.of());
    }

    /// In Kubernetes' `UserInfo` form, in a fixed order.
    public Json.Obj info() {
        var further = Json.Obj.builder();
        new TreeMap<>(extra).forEach((key, values) -> further.put(key, Json.Arr.ofStrings(values)));
        return Json.Obj.builder()
                .putNonEmpty("username", name)
                .putNonEmpty("uid", uid)
                .putNonEmpty(
                        "groups", Json.Arr.ofStrings(groups.stream().sorted().toList()))
                .putNonEmpty("extra", further.build())
                .build();
    }
}

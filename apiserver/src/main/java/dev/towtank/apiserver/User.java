package dev.towtank.apiserver;

import java.util.List;
import java.util.Map;
import java.util.Set;

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
}

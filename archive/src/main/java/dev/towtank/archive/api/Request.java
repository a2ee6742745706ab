package dev.towtank.archive.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A request, with its path and query decoded.
///
/// @param path begins with `/apis/results.tekton.dev/`
/// @param caller who it is, once that is known; the one to act for, where that was allowed
public record Request(
        String method, String path, Map<String, List<String>> query, String body, Optional<Caller> caller) {

    public Request {
        query = Map.copyOf(query);
    }

    /// @param groups that the user is in
    public record Caller(String user, String uid, List<String> groups, Map<String, List<String>> extra) {
        public Caller {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
        }
    }

    /// The first value of a parameter without the space around it, or an empty text.
    public String parameter(String name) {
        var values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst().trim();
    }
}

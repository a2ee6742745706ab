package dev.towtank.app.lint;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Somebody refers to something by name.
///
/// @param otherwise what to say where nothing defines it
/// @param use what is given to it and taken from it, where its definition can tell whether that fits
record Reference(String kind, String name, Finding otherwise, Optional<Use> use) {

    /// @param user in words: `pipeline task "build"`
    /// @param params that are given
    /// @param workspaces that are bound
    /// @param results that are used
    record Use(String user, Place place, Set<String> params, Set<String> workspaces, List<ResultUse> results) {
        Use {
            params = Set.copyOf(params);
            workspaces = Set.copyOf(workspaces);
            results = List.copyOf(results);
        }
    }

    record ResultUse(String result, Place place) {}
}

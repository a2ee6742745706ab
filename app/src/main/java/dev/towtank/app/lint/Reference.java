package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.SourcePlace;
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
    /// @param values of those of which it can be told what they are
    /// @param workspaces that are bound
    /// @param results that are used
    record Use(
            String user,
            SourcePlace place,
            Set<String> params,
            List<ParamType.Given> values,
            Set<String> workspaces,
            List<ResultUse> results) {
        Use {
            params = Set.copyOf(params);
            values = List.copyOf(values);
            workspaces = Set.copyOf(workspaces);
            results = List.copyOf(results);
        }
    }

    /// What is given to something that is written in the same place.
    record Embedded(Definition definition, List<ParamType.Given> values) {
        Embedded {
            values = List.copyOf(values);
        }
    }

    record ResultUse(String result, SourcePlace place) {}
}

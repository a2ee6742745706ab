package dev.towtank.app.lint.finding;

import java.util.Set;

/// Where something was found. Holds on to nothing of the file but the line.
///
/// @param line from 1
/// @param column from 1, in code points
/// @param endColumn just behind; no less than the column
/// @param excerpt the line, without secret values
/// @param silenced names of rules that comments here switch off
public record SourcePlace(String file, int line, int column, int endColumn, String excerpt, Set<String> silenced) {
    public SourcePlace {
        endColumn = Math.max(column, endColumn);
        silenced = Set.copyOf(silenced);
    }
}

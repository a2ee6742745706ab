package dev.towtank.app.lint;

/// A change within one line that is safe to make.
///
/// @param column from 1, in code points
/// @param endColumn just behind what goes; the same as the column where nothing does
/// @param text what comes in its place
public record Edit(int line, int column, int endColumn, String text) {}

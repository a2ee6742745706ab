package dev.towtank.app.lint.finding;

/// A change that is safe to make: within one line, and perhaps whole lines behind it that go.
///
/// @param column from 1, in code points
/// @param endColumn just behind what goes; the same as the column where nothing does
/// @param text what comes in its place
/// @param linesGone how many lines behind it go, whole
public record Edit(int line, int column, int endColumn, String text, int linesGone) {

    public Edit(int line, int column, int endColumn, String text) {
        this(line, column, endColumn, text, 0);
    }
}

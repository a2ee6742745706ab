package dev.towtank.app.lint.finding;

import java.util.Locale;

/// How bad a finding is; the worst comes first.
public enum Level {
    /// It is refused, or it cannot work.
    ERROR,
    /// It works, or may, and is probably not what was meant.
    WARNING,
    /// Good to know.
    INFO;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

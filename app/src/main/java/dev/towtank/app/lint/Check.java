package dev.towtank.app.lint;

import dev.towtank.app.lint.source.Document;

/// A family of rules: looks at one document and notes down what it sees. Pure.
interface Check {
    void check(Document document, Observations seen);

    /// Whether it makes sense only for an object of which every part is there.
    default boolean needsWhole() {
        return false;
    }
}

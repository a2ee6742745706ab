package dev.towtank.model.template;

import org.jspecify.annotations.Nullable;

/// A render while it runs, as its functions see it.
public interface Render {

    Meter meter();

    /// Executes another template that belongs to this one, and returns what it writes; its errors are [FunctionError]s.
    String execute(String name, @Nullable Object data);

    /// Parses a text as a template of a name, which knows all the others, and executes it.
    ///
    /// @throws FunctionError with Go's text, before which the caller says what it was doing
    String executeText(String name, String text, @Nullable Object data, ParseFailure onParseFailure);

    /// Makes the error of a text that cannot be parsed.
    @FunctionalInterface
    interface ParseFailure {
        FunctionError explain(String text);
    }
}

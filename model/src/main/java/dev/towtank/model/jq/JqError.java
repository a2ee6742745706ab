package dev.towtank.model.jq;

import dev.towtank.model.Json;
import org.jspecify.annotations.Nullable;

/// An expression that cannot be compiled, or failed on a value.
public final class JqError extends RuntimeException {

    private static final long serialVersionUID = 1;

    // What `catch` gets; null for what nothing in an expression may catch: a bound that was reached.
    private final transient @Nullable Json value;

    JqError(String message) {
        this(message, Json.of(message));
    }

    private JqError(String message, @Nullable Json value) {
        super(message, null, false, false);
        this.value = value;
    }

    /// What `error(value)` throws.
    static JqError of(Json value) {
        return new JqError(
                value instanceof Json.Str(var text) ? text : Texts.shortened(value) + " (not a string)", value);
    }

    static JqError limit(String message) {
        return new JqError(message, null);
    }

    @Nullable
    Json value() {
        return value;
    }
}

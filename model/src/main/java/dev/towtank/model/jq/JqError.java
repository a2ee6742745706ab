package dev.towtank.model.jq;

/// An expression that cannot be compiled, or failed on a value.
public final class JqError extends RuntimeException {

    private static final long serialVersionUID = 1;

    JqError(String message) {
        super(message, null, false, false);
    }
}

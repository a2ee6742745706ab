package dev.towtank.model.template;

/// What a function of a template returns as its error; the executor says where it was called.
public final class FunctionError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FunctionError(String message) {
        super(message, null, false, false);
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.model.template;

/// A template that cannot be parsed or executed, in the words that Go has for it.
public final class TemplateError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean exhausted;

    public TemplateError(String message) {
        this(message, false);
    }

    private TemplateError(String message, boolean exhausted) {
        super(message, null, false, false);
        this.exhausted = exhausted;
    }

    /// A bound that a render ran into. No function may turn it into a value, or the render would go on.
    static TemplateError exhausted(String message) {
        return new TemplateError(message, true);
    }

    /// True when a bound ended the render, and not a mistake in the template.
    public boolean isExhausted() {
        return exhausted;
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }

    TemplateError inside(String where) {
        return new TemplateError(where + text(), exhausted);
    }
}

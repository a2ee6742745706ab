package dev.towtank.model.helm;

/// A chart that cannot be read or rendered, or values that it does not take.
public final class HelmError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HelmError(String message) {
        super(message, null, false, false);
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }
}

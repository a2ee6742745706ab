package dev.towtank.controllers.secrets.reading;

/// Why something cannot be read or made, in the words of External Secrets. Never tells a value.
public final class ReadProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean missing;

    private ReadProblem(String message, boolean missing) {
        super(message, null, false, false);
        this.missing = missing;
    }

    public static ReadProblem of(String message) {
        return new ReadProblem(message, false);
    }

    /// The provider has no such secret, which is no mistake where the deletion policy says so.
    public static ReadProblem ofMissing() {
        return new ReadProblem("Secret does not exist", true);
    }

    public boolean isMissing() {
        return missing;
    }

    /// The same with where it happened.
    public ReadProblem inside(String where) {
        return new ReadProblem(where + text(), missing);
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.controllers.secrets.reading;

/// Why something cannot be read or made, in the words of External Secrets. Never tells a value.
public final class ReadProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private enum Cause {
        ANY,
        MISSING,
        UNREACHABLE
    }

    private final Cause why;

    private ReadProblem(String message, Cause why) {
        super(message, null, false, false);
        this.why = why;
    }

    public static ReadProblem of(String message) {
        return new ReadProblem(message, Cause.ANY);
    }

    /// Nobody answers, so that nothing is known about what would have been read.
    public static ReadProblem unreachable(String message) {
        return new ReadProblem(message, Cause.UNREACHABLE);
    }

    /// The provider has no such secret, which is no mistake where the deletion policy says so.
    public static ReadProblem ofMissing() {
        return new ReadProblem("Secret does not exist", Cause.MISSING);
    }

    public boolean isMissing() {
        return why == Cause.MISSING;
    }

    public boolean isUnreachable() {
        return why == Cause.UNREACHABLE;
    }

    /// The same with where it happened.
    public ReadProblem inside(String where) {
        return new ReadProblem(where + text(), why);
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }
}

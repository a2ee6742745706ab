package dev.towtank.app.engine;

/// Why a command could not do its work. The message is for the user: what happened, why, what to do next.
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Failure(String message) {
        super(message);
    }

    public Failure(String message, Throwable cause) {
        super(message, cause);
    }
}

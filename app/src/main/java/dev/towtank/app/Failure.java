package dev.towtank.app;

/// Why a command could not do its work. The message is for the user: what happened, why, what to do next.
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message);
    }

    Failure(String message, Throwable cause) {
        super(message, cause);
    }
}

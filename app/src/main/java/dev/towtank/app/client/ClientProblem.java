package dev.towtank.app.client;

/// Why a command got no further. The message is for the user: what happened, why, what to do next.
public final class ClientProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClientProblem(String message) {
        super(message);
    }

    public ClientProblem(String message, Throwable cause) {
        super(message, cause);
    }
}

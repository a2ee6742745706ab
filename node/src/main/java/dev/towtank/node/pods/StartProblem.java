package dev.towtank.node.pods;

/// Why a container could not be started, as its status says it.
final class StartProblem extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    StartProblem(String reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

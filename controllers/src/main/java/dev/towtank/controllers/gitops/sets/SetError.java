package dev.towtank.controllers.gitops.sets;

/// Why an ApplicationSet gives no Applications; for people.
final class SetError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SetError(String message) {
        super(message);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.controllers.gitops.rendering;

/// Why files make no objects; for people.
final class RenderError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RenderError(String message) {
        super(message);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.node.pods;

/// A container's configuration that cannot be made: the user's mistake, told as `CreateContainerConfigError`.
final class ConfigProblem extends RuntimeException {

    private static final long serialVersionUID = 1;

    ConfigProblem(String message) {
        super(message, null, false, false);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.controllers.pipelines.api;

/// What the administrator has decided, as it is at the moment.
public record Settings(Defaults defaults, FeatureFlags flags) {

    /// Where nobody decided anything.
    public static final Settings INITIAL = new Settings(Defaults.INITIAL, FeatureFlags.INITIAL);

    /// A ConfigMap has a value that makes no sense; the message is the one of Tekton.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }
}

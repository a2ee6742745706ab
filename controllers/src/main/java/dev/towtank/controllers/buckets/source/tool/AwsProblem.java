package dev.towtank.controllers.buckets.source.tool;

/// Ends a command, with Amazon's words and codes.
final class AwsProblem extends Exception {
    private static final long serialVersionUID = 1;

    static final int OF_TRANSFER = 1;
    static final int OF_WORDS = 252;
    static final int OF_KEYS = 253;
    static final int OF_SERVICE = 254;
    static final int OF_EVERYTHING_ELSE = 255;

    private final int exit;

    AwsProblem(int exit, String message) {
        super(message, null, false, false);
        this.exit = exit;
    }

    static AwsProblem words(String message) {
        return new AwsProblem(
                OF_WORDS,
                "aws: error: " + message
                        + "\nThis is the small aws of Towtank, which knows s3 ls, cp, rm, mb, rb and the usual s3api"
                        + " commands; for all of it, install awscli on the machine.");
    }

    int exit() {
        return exit;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

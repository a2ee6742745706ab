package dev.towtank.controllers.git.source;

import java.io.Serial;

/// Why a repository could not be read; never with a secret in it.
public final class GitProblem extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public enum Kind {
        FAILED,
        /// Somebody could not be reached, which may be otherwise in a moment.
        PASSING,
        TIMED_OUT
    }

    public GitProblem(String message) {
        this(Kind.FAILED, message);
    }

    GitProblem(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}

package dev.towtank.controllers.pipelines.graph;

import java.io.Serial;

/// The tasks of a pipeline do not make a graph without cycles; the message is Tekton's.
public final class InvalidGraph extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    InvalidGraph(String message) {
        super(message);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}

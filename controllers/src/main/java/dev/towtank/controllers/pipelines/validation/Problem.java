package dev.towtank.controllers.pipelines.validation;

import java.util.List;

/// One thing that is wrong, and where.
///
/// @param paths of fields, sorted: `spec.steps[0].name`
/// @param details more words, otherwise empty
public record Problem(String message, List<String> paths, String details) {
    public Problem {
        paths = List.copyOf(paths);
    }

    public String text() {
        var line = message + ": " + String.join(", ", paths);
        return details.isEmpty() ? line : line + "\n" + details;
    }
}

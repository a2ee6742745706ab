package dev.towtank.controllers.builds.recipe;

import java.io.Serial;

/// A mistake in a file that an image is made by; the message names file and line.
public final class RecipeError extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    RecipeError(String file, int line, String message) {
        super(file + ":" + line + ": " + message);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}

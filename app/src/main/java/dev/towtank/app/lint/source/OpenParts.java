package dev.towtank.app.lint.source;

import java.util.regex.Pattern;

/// What is only known when somebody fills it in: `${STAGE}`, `$(NAME)`, `{{ .path }}`, `<cluster>`.
public final class OpenParts {

    private static final Pattern OPEN =
            Pattern.compile("\\{\\{[^{}]*\\}\\}|\\$\\{[^{}]*\\}|\\$\\([^()]*\\)|\\$\\w+|<[\\w-]+>|\\{\\w*\\}");

    private OpenParts() {}

    /// The text with a star for each of them.
    public static String starred(String text) {
        return OPEN.matcher(text).replaceAll("*");
    }
}

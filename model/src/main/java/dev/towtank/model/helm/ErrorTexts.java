package dev.towtank.model.helm;

import dev.towtank.model.template.functions.HelmFunctions;

/// Errors of templates in the words that Helm makes of Go's.
final class ErrorTexts {
    private ErrorTexts() {}

    static String parsing(String text) {
        var parts = text.split(": ", -1);
        return parts.length < 3
                ? "parse error: " + text
                : "parse error at (" + parts[1] + "): " + parts[parts.length - 1];
    }

    /// What `required` and `fail` say is what counts; of all else, everything does.
    static String executing(String text) {
        int start = text.indexOf(HelmFunctions.WARNING_START);
        int end = text.lastIndexOf(HelmFunctions.WARNING_END);
        var parts = text.split(": ", 3);
        if (start < 0 || end < start || parts.length < 3) {
            return text;
        }
        return "execution error at (" + parts[1] + "): "
                + text.substring(start + HelmFunctions.WARNING_START.length(), end);
    }
}

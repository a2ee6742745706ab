package dev.towtank.app.lint.source;

import java.util.regex.Pattern;

/// Values that somebody fills in before a server sees them: `$(name)` of Kustomize, `${NAME}` of envsubst and Flux,
/// `{{ name }}` of templates, `ENC[…]` of sops, `<your name>`, `YOUR_NAME`, `replace_name`, `...` and `this | that` for
/// people.
public final class Placeholder {

    private static final Pattern FOR_PEOPLE = Pattern.compile(
            "<[A-Za-z*][^<>\n]*>|\\.\\.\\.|\\w ?\\| ?\\w|\\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\\b|-[A-Z]{4,}\\b"
                    + "|\\b(replace|your|change|insert)_[a-z_]+\\b");

    private Placeholder() {}

    public static boolean isIn(String text) {
        return text.contains("$(")
                || text.contains("${")
                || text.contains("{{")
                || text.contains("\\\\ .")
                || text.startsWith("ENC[")
                || FOR_PEOPLE.matcher(text).find();
    }
}

package dev.towtank.app.run.input;

import dev.towtank.app.lint.finding.Similar;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The fields that a server does not know, each with its place in the file and what may be meant. Pure.
public final class UnknownFields {

    // Strict decoding tells where each of them is, Tekton's webhook the name of the first.
    private static final Pattern UNKNOWN = Pattern.compile("unknown field \"([^\"]+)\"");

    private UnknownFields() {}

    /// @param text of the whole file
    /// @param message by which the object was refused
    /// @return nothing where it is about something else
    public static List<String> of(Document document, String text, String message, KnownKinds kinds) {
        var problems = new ArrayList<String>();
        var unknown = UNKNOWN.matcher(message);
        while (unknown.find()) {
            var said = unknown.group(1);
            int dot = said.lastIndexOf('.');
            var path = dot < 0 ? FieldLine.path(text, document.line(), said).orElse(said) : said;
            var names = kinds.fieldsAt(document, path.substring(0, Math.max(0, path.lastIndexOf('.'))));
            var meant = Similar.to(
                    said.substring(dot + 1),
                    names.isEmpty() ? kinds.fieldsOfGroup(document.resource().group()) : names);
            problems.add(document.file() + ":" + FieldLine.of(text, document.line(), path) + ": unknown field \""
                    + path + "\" in the " + document.kind() + "."
                    + meant.map(each -> " Did you mean \"" + each + "\"?").orElse(""));
        }
        return problems;
    }
}

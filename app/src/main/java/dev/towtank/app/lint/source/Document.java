package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.Set;

/// One object of a file, with its places.
///
/// @param origin what the object comes out of
public record Document(SourceText source, Located root, Origin origin) {

    private static final Set<String> SECRET_FIELDS = Set.of("data", "stringData");

    public enum Origin {
        /// It will be sent as it is.
        PLAIN,
        /// Values are filled in first, but no part is missing.
        WITH_PLACEHOLDERS,
        /// Parts come and go: nothing can be said of what is not there.
        WITH_GAPS
    }

    public Json.Obj json() {
        return root.json() instanceof Json.Obj object ? object : Json.Obj.EMPTY;
    }

    public String apiVersion() {
        return root.text("apiVersion");
    }

    public String group() {
        var version = apiVersion();
        int slash = version.indexOf('/');
        return slash < 0 ? "" : version.substring(0, slash);
    }

    public String kind() {
        return root.text("kind");
    }

    public String name() {
        return root.text("metadata", "name");
    }

    /// Whether a document or a program completes it before it is sent.
    public boolean isPart() {
        // A kind that is called so is whole.
        return source.isPart() && !kind().endsWith("Template");
    }

    public boolean isTekton() {
        return group().equals("tekton.dev");
    }

    /// An object within this one, such as an item of a list.
    public Document inner(Located inside, Origin other) {
        return new Document(source, inside, other.compareTo(origin) > 0 ? other : origin);
    }

    public SourcePlace key(Located.Field field) {
        return place(field.start(), field.end());
    }

    public SourcePlace value(Located value) {
        boolean isBlock = value.style() == Located.Style.LITERAL || value.style() == Located.Style.FOLDED;
        return isBlock || value.end().line() != value.start().line()
                ? place(
                        value.start(),
                        new Located.Mark(value.start().line(), value.start().column() + 1))
                : place(value.start(), value.end());
    }

    public SourcePlace place(Located.Mark start, Located.Mark end) {
        int behind = end.line() == start.line()
                ? end.column()
                : source.line(start.line()).length() + 1;
        return place(start.line(), start.column(), behind);
    }

    public SourcePlace place(int line, int column, int endColumn) {
        return source.place(line, column, endColumn, isSecret(line));
    }

    private boolean isSecret(int line) {
        if (!kind().equals("Secret")) {
            return false;
        }
        return root.fields().entrySet().stream()
                .filter(field -> SECRET_FIELDS.contains(field.getKey()))
                .map(field -> field.getValue())
                .anyMatch(field -> field.start().line() <= line
                        && line <= field.value().end().line());
    }

    /// Where a part of a text stands; the text itself where its lines were joined or escaped.
    ///
    /// @param start from which character of the value
    public SourcePlace within(Located text, String value, int start, int end) {
        var snippet = value.substring(start, end);
        int before = 0;
        for (int i = value.indexOf(snippet); i >= 0 && i < start; i = value.indexOf(snippet, i + 1)) {
            before++;
        }
        for (int number = text.start().line(); number <= text.end().line(); number++) {
            var line = source.line(number);
            int from = number == text.start().line()
                    ? Math.min(line.length(), text.start().column() - 1)
                    : 0;
            for (int i = line.indexOf(snippet, from); i >= 0; i = line.indexOf(snippet, i + 1)) {
                if (before-- == 0) {
                    int column = line.codePointCount(0, i) + 1;
                    return place(number, column, column + snippet.codePointCount(0, snippet.length()));
                }
            }
        }
        return value(text);
    }
}

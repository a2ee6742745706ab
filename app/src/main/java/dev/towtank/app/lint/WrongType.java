package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Places;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import dev.towtank.model.Pruning;
import java.util.Locale;
import java.util.regex.Pattern;

/// A value that does not fit its field, in words that need no Go.
record WrongType(Document document, Pruning.Mismatch mismatch) {

    private static final Pattern GO =
            Pattern.compile("json: cannot unmarshal (\\S+).* into Go (?:struct field \\S+|value) of type (\\S+)");

    Finding finding() {
        var found = Places.find(document, mismatch.path());
        var go = GO.matcher(mismatch.text());
        if (!go.matches()) {
            return Finding.of(
                    Rule.WRONG_TYPE,
                    found.value(document),
                    mismatch.path() + ": " + mismatch.text(),
                    mismatch.text().contains("base64")
                            ? "Encode the value in base64, or write it as it is under stringData."
                            : "");
        }
        var expected = words(go.group(2));
        var finding = Finding.of(
                Rule.WRONG_TYPE,
                found.value(document),
                mismatch.path() + " must be " + expected + ", not " + article(go.group(1)),
                "");
        return expected.equals("a text") && isPlain(found) ? quoted(finding, found.value()) : finding;
    }

    private static boolean isPlain(Places found) {
        return found.isThere()
                && found.value().style() == Located.Style.PLAIN
                && found.value().start().line() == found.value().end().line();
    }

    private Finding quoted(Finding finding, Located value) {
        var line = document.source().line(value.start().line());
        int from = line.offsetByCodePoints(0, value.start().column() - 1);
        int to = line.offsetByCodePoints(0, value.end().column() - 1);
        var text = Json.of(line.substring(from, to)).toString();
        return new Finding(
                        finding.rule(),
                        finding.level(),
                        finding.place(),
                        finding.message(),
                        "Put it into quotes: " + text,
                        finding.fix())
                .with(new Edit(
                        value.start().line(),
                        value.start().column(),
                        value.end().column(),
                        text));
    }

    private static String words(String goType) {
        if (goType.startsWith("[]uint8")) {
            return "a text";
        }
        if (goType.startsWith("[]")) {
            return "a list";
        }
        if (goType.startsWith("map[")) {
            return "a map";
        }
        return switch (goType) {
            case "string" -> "a text";
            case "bool" -> "true or false";
            case "int32", "int64", "int" -> "a whole number";
            case "float64" -> "a number";
            default -> goType.contains(".") ? "an object (" + goType.substring(goType.indexOf('.') + 1) + ")" : goType;
        };
    }

    private static String article(String jsonType) {
        return switch (jsonType.toLowerCase(Locale.ROOT)) {
            case "string" -> "a text";
            case "number" -> "a number";
            case "bool" -> "true or false";
            case "array" -> "a list";
            case "object" -> "a map";
            default -> jsonType;
        };
    }
}

package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.crd.JsonPathQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The templates of `-o jsonpath`: text with paths in braces. Without `range`, and without functions.
final class JsonPathTemplate {

    private sealed interface Part {
        record Text(String text) implements Part {}

        record Query(JsonPathQuery path) implements Part {}
    }

    private final List<Part> parts = new ArrayList<>();

    private JsonPathTemplate() {}

    static JsonPathTemplate parse(String text) {
        var template = new JsonPathTemplate();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            if (open < 0) {
                template.parts.add(new Part.Text(text.substring(at)));
                return template;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new ClientProblem("error parsing jsonpath " + text + ", unclosed action");
            }
            template.parts.add(new Part.Text(text.substring(at, open)));
            template.parts.add(part(text.substring(open + 1, close).strip()));
            at = close + 1;
        }
        return template;
    }

    private static Part part(String action) {
        if (action.matches("\"[^\"]*\"|'[^']*'")) {
            return new Part.Text(action.substring(1, action.length() - 1)
                    .replace("\\n", "\n")
                    .replace("\\t", "\t"));
        }
        var path = action.startsWith("$") ? action.substring(1) : action;
        return Optional.of(path)
                .filter(text -> !text.equals("end") && !text.startsWith("range "))
                .flatMap(text -> JsonPathQuery.parse(text.startsWith(".") || text.startsWith("[") ? text : "." + text))
                .map(Part.Query::new)
                .orElseThrow(
                        () -> new ClientProblem("error parsing jsonpath {" + action + "} (" + KubectlLine.SMALL + ")"));
    }

    String of(Json value) {
        return parts.stream()
                .map(part -> switch (part) {
                    case Part.Text(var text) -> text;
                    case Part.Query(var path) ->
                        path.find(value).stream().map(JsonPathTemplate::text).collect(Collectors.joining(" "));
                })
                .collect(Collectors.joining());
    }

    private static String text(Json value) {
        return value instanceof Json.Str(var text) ? text : JsonText.write(value);
    }
}

package dev.towtank.model.crd;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The JSONPath of printer columns, of `wait` and of bindings: fields, indexes, slices, several of them, `[*]` and
/// filters
/// such as `[?(@.type=="Ready")]`.
public final class JsonPathQuery {

    private sealed interface Step {
        record Field(String name) implements Step {}

        record Index(int index) implements Step {}

        record Every() implements Step {}

        /// From the first to before the last; negative ones count from the end.
        ///
        /// @param end absent for all that are left
        record Slice(int start, Optional<Integer> end, int stride) implements Step {}

        record Several(List<Step> steps) implements Step {}

        record Deep(String name) implements Step {}

        /// @param operator empty where the field must only be there
        record Filter(
                JsonPathQuery path,
                String operator,
                @Nullable Json value) implements Step {}
    }

    private static final List<String> OPERATORS = List.of("==", "!=", "<=", ">=", "<", ">");

    private final List<Step> steps;

    private JsonPathQuery(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /// Empty where the text is no path that we know.
    public static Optional<JsonPathQuery> parse(String text) {
        try {
            return Optional.of(new JsonPathQuery(new Parser(text).steps()));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /// Everything that the path leads to.
    public List<Json> find(Json root) {
        List<Json> here = List.of(root);
        for (var step : steps) {
            var next = new ArrayList<Json>();
            here.forEach(value -> follow(step, value, next));
            here = next;
        }
        return here;
    }

    private static void follow(Step step, Json value, List<Json> found) {
        switch (step) {
            case Step.Field(var name) -> {
                var inner = value instanceof Json.Obj object ? object.get(name) : null;
                if (inner != null) {
                    found.add(inner);
                }
            }
            case Step.Index(var index) -> {
                if (value instanceof Json.Arr array) {
                    int position = index < 0 ? array.size() + index : index;
                    if (position >= 0 && position < array.size()) {
                        found.add(array.get(position));
                    }
                }
            }
            case Step.Every _ -> found.addAll(children(value));
            case Step.Slice slice -> slice(slice, value, found);
            case Step.Several(var each) -> each.forEach(one -> follow(one, value, found));
            case Step.Deep(var name) -> {
                follow(new Step.Field(name), value, found);
                children(value).forEach(child -> follow(step, child, found));
            }
            case Step.Filter filter ->
                children(value).stream().filter(child -> accepts(filter, child)).forEach(found::add);
        }
    }

    private static void slice(Step.Slice slice, Json value, List<Json> found) {
        if (value instanceof Json.Arr array) {
            int start = fromEnd(slice.start, array.size());
            int end = slice.end.map(given -> fromEnd(given, array.size())).orElse(array.size());
            for (int i = Math.max(0, start); i < Math.min(end, array.size()); i += slice.stride) {
                found.add(array.get(i));
            }
        }
    }

    private static int fromEnd(int index, int size) {
        return index < 0 ? size + index : index;
    }

    private static List<Json> children(Json value) {
        return switch (value) {
            case Json.Arr array -> array.items();
            case Json.Obj object ->
                object.keys().stream().map(key -> object.at(key)).toList();
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> List.of();
        };
    }

    private static boolean accepts(Step.Filter filter, Json value) {
        var found = filter.path.find(value);
        var wanted = filter.value;
        if (found.isEmpty() || wanted == null) {
            return !found.isEmpty();
        }
        int order = compare(found.getFirst(), wanted);
        return switch (filter.operator) {
            case "==" -> found.getFirst().equals(wanted);
            case "!=" -> !found.getFirst().equals(wanted);
            case "<" -> order < 0;
            case ">" -> order > 0;
            case "<=" -> order <= 0;
            default -> order >= 0;
        };
    }

    private static int compare(Json one, Json other) {
        return one instanceof Json.Int(var a) && other instanceof Json.Int(var b)
                ? Long.compare(a, b)
                : one.display().compareTo(other.display());
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Step> steps() {
            var steps = new ArrayList<Step>();
            while (at < text.length()) {
                steps.add(text.charAt(at) == '[' ? bracket() : dot());
                if (steps.getLast() instanceof Step.Field(var name) && name.isEmpty()) {
                    steps.removeLast();
                }
            }
            return steps;
        }

        private Step dot() {
            if (text.charAt(at) != '.') {
                throw new IllegalArgumentException(text);
            }
            boolean deep = text.startsWith("..", at);
            at += deep ? 2 : 1;
            var name = name();
            return name.equals("*") ? new Step.Every() : deep ? new Step.Deep(name) : new Step.Field(name);
        }

        private String name() {
            var name = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            return name.toString();
        }

        private Step bracket() {
            int end = closing();
            var inner = text.substring(at + 1, end).strip();
            at = end + 1;
            if (inner.equals("*")) {
                return new Step.Every();
            }
            if (inner.startsWith("?(") && inner.endsWith(")")) {
                return filter(inner.substring(2, inner.length() - 1).strip());
            }
            var parts = split(inner, ',');
            if (parts.size() == 1) {
                return single(inner);
            }
            return new Step.Several(
                    parts.stream().map(part -> single(part.strip())).toList());
        }

        private static Step single(String inner) {
            if (isQuoted(inner)) {
                return new Step.Field(unquote(inner));
            }
            var bounds = split(inner, ':');
            if (bounds.size() == 1) {
                return new Step.Index(Integer.parseInt(inner));
            }
            int stride = bounds.size() > 2 && !bounds.get(2).isBlank() ? number(bounds.get(2)) : 1;
            if (bounds.size() > 3 || stride < 1) {
                throw new IllegalArgumentException(inner);
            }
            return new Step.Slice(
                    bounds.getFirst().isBlank() ? 0 : number(bounds.getFirst()),
                    bounds.get(1).isBlank() ? Optional.empty() : Optional.of(number(bounds.get(1))),
                    stride);
        }

        private static int number(String text) {
            return Integer.parseInt(text.strip());
        }

        /// Not within quotes.
        private static List<String> split(String text, char separator) {
            var parts = new ArrayList<String>();
            var part = new StringBuilder();
            char quote = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quote == 0 && c == separator) {
                    parts.add(part.toString());
                    part.setLength(0);
                    continue;
                }
                if (quote != 0) {
                    quote = c == quote ? 0 : quote;
                } else if (c == '"' || c == '\'') {
                    quote = c;
                }
                part.append(c);
            }
            parts.add(part.toString());
            return parts;
        }

        private int closing() {
            char quote = 0;
            int depth = 0;
            for (int i = at; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quote != 0) {
                    quote = c == quote ? 0 : quote;
                } else if (c == '"' || c == '\'') {
                    quote = c;
                } else if (c == '[') {
                    depth++;
                } else if (c == ']' && --depth == 0) {
                    return i;
                }
            }
            throw new IllegalArgumentException(text);
        }

        private static Step filter(String condition) {
            for (var operator : OPERATORS) {
                int found = condition.indexOf(operator);
                if (found > 0) {
                    return new Step.Filter(
                            relative(condition.substring(0, found).strip()),
                            operator,
                            literal(condition
                                    .substring(found + operator.length())
                                    .strip()));
                }
            }
            return new Step.Filter(relative(condition), "", null);
        }

        private static JsonPathQuery relative(String path) {
            if (!path.startsWith("@")) {
                throw new IllegalArgumentException(path);
            }
            return new JsonPathQuery(new Parser(path.substring(1)).steps());
        }

        private static Json literal(String text) {
            return switch (text) {
                case "true" -> Json.of(true);
                case "false" -> Json.of(false);
                default -> isQuoted(text) ? Json.of(unquote(text)) : Json.of(Long.parseLong(text));
            };
        }

        private static boolean isQuoted(String text) {
            return text.length() > 1
                    && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                    && text.charAt(text.length() - 1) == text.charAt(0);
        }

        private static String unquote(String text) {
            return text.substring(1, text.length() - 1);
        }
    }
}

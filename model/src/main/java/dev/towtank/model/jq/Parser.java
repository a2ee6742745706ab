package dev.towtank.model.jq;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads an expression into a filter.
final class Parser {

    private static final int MAX_DEPTH = 100;
    private static final String[] SYMBOLS = {
        "//=", "?//", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "|", ",", "=", "<", ">",
        "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", "?", ".", "$", "@"
    };

    private final String text;
    private int position;
    private int depth;

    Parser(String text) {
        this.text = text;
    }

    Filter parse() {
        var filter = pipe();
        skip();
        if (position < text.length()) {
            throw unexpected();
        }
        return filter;
    }

    private JqError unexpected() {
        skip();
        return new JqError(
                position >= text.length()
                        ? "unexpected end of the expression"
                        : "unexpected \"" + word() + "\" at position " + (position + 1));
    }

    private void skip() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    /// The name or symbol that comes next, without taking it.
    private String word() {
        skip();
        int end = position;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        if (end > position) {
            return text.substring(position, end);
        }
        for (var symbol : SYMBOLS) {
            if (text.startsWith(symbol, position)) {
                return symbol;
            }
        }
        return position < text.length() ? text.substring(position, position + 1) : "";
    }

    private boolean accept(String word) {
        if (word().equals(word)) {
            position += word.length();
            return true;
        }
        return false;
    }

    private void expect(String word) {
        if (!accept(word)) {
            throw unexpected();
        }
    }

    private Filter pipe() {
        if (++depth > MAX_DEPTH) {
            throw new JqError("nested deeper than " + MAX_DEPTH);
        }
        var left = comma();
        while (accept("|")) {
            left = left.then(comma());
        }
        depth--;
        return left;
    }

    private Filter comma() {
        var left = assignment();
        while (accept(",")) {
            left = left.and(assignment());
        }
        return left;
    }

    private Filter assignment() {
        var left = alternative();
        if (accept("|=")) {
            return Functions.update(left, alternative());
        }
        if (accept("=")) {
            var right = alternative();
            return (run, input, output) -> right.apply(
                    run,
                    input,
                    value -> Functions.update(left, Filter.constant(value.json()))
                            .apply(run, input, output));
        }
        return left;
    }

    private Filter alternative() {
        var left = or();
        if (!accept("//")) {
            return left;
        }
        var right = alternative();
        return (run, input, output) -> {
            var found = new ArrayList<Value>();
            try {
                left.apply(run, input, value -> {
                    run.step();
                    if (Texts.isTrue(value.json())) {
                        found.add(value);
                    }
                });
            } catch (JqError _) {
                // What fails counts as nothing here.
                run.step();
            }
            if (found.isEmpty()) {
                right.apply(run, input, output);
            } else {
                found.forEach(output);
            }
        };
    }

    private Filter or() {
        var left = and();
        while (accept("or")) {
            left = logic(left, and(), true);
        }
        return left;
    }

    private Filter and() {
        var left = comparison();
        while (accept("and")) {
            left = logic(left, comparison(), false);
        }
        return left;
    }

    /// The right side is only looked at if the left one does not decide.
    private static Filter logic(Filter left, Filter right, boolean decides) {
        return (run, input, output) -> left.apply(run, input, first -> {
            run.step();
            if (Texts.isTrue(first.json()) == decides) {
                output.accept(Value.computed(Json.of(decides)));
            } else {
                right.apply(run, input, second -> output.accept(Value.computed(Json.of(Texts.isTrue(second.json())))));
            }
        });
    }

    private Filter comparison() {
        var left = sum();
        var operator = word();
        return switch (operator) {
            case "==", "!=", "<", "<=", ">", ">=" -> {
                position += operator.length();
                yield Filter.operator(left, sum(), (_, a, b) -> Json.of(compare(operator, Order.compare(a, b))));
            }
            default -> left;
        };
    }

    private static boolean compare(String operator, int order) {
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private Filter sum() {
        var left = product();
        while (true) {
            if (accept("+")) {
                left = Filter.operator(left, product(), Operators::add);
            } else if (accept("-")) {
                left = Filter.operator(left, product(), Operators::subtract);
            } else {
                return left;
            }
        }
    }

    private Filter product() {
        var left = postfix();
        while (true) {
            var operator = word();
            if (!operator.equals("*") && !operator.equals("/") && !operator.equals("%")) {
                return left;
            }
            position++;
            left = Filter.operator(left, postfix(), (_, a, b) -> Operators.compute(operator.charAt(0), a, b));
        }
    }

    private Filter postfix() {
        var filter = term();
        while (true) {
            skip();
            if (accept("?")) {
                filter = optional(filter);
            } else if (word().equals("[")) {
                filter = filter.then(bracket());
            } else if (word().equals(".")) {
                position++;
                filter = filter.then(word().equals("[") ? bracket() : field());
            } else {
                return filter;
            }
        }
    }

    private static Filter optional(Filter filter) {
        return (run, input, output) -> {
            var found = new ArrayList<Value>();
            try {
                filter.apply(run, input, value -> {
                    run.step();
                    found.add(value);
                });
            } catch (JqError _) {
                // That is what the question mark is for; a limit will be reached again.
                run.step();
            }
            found.forEach(output);
        };
    }

    private Filter term() {
        var word = word();
        if (word.isEmpty()) {
            throw unexpected();
        }
        char first = word.charAt(0);
        if (Character.isDigit(first)) {
            return Filter.constant(number());
        }
        return switch (word) {
            case ".." -> {
                position += 2;
                yield Paths::everything;
            }
            case "." -> dot();
            case "(" -> {
                position++;
                var inner = pipe();
                expect(")");
                yield inner;
            }
            case "[" -> array();
            case "{" -> object();
            case "\"" -> Filter.constant(Json.of(quoted()));
            case "-" -> {
                position++;
                yield Filter.operator(Filter.constant(Json.of(0)), postfix(), Operators::subtract);
            }
            case "if" -> condition();
            case "true", "false", "null" -> {
                position += word.length();
                yield Filter.constant(JsonText.parse(word));
            }
            case "def", "reduce", "foreach", "try", "label", "import", "include", "$", "@" ->
                throw new JqError("\"" + word + "\" is not supported");
            default -> call(word);
        };
    }

    private Filter dot() {
        position++;
        skip();
        boolean isField = position < text.length()
                && (text.charAt(position) == '"'
                        || text.charAt(position) == '_'
                        || Character.isLetter(text.charAt(position)));
        // After a space it is a keyword, as in `. and .x`.
        return isField && text.charAt(position - 1) == '.' ? field() : Parser::same;
    }

    private static void same(Run run, Value input, Consumer<Value> output) {
        run.step();
        output.accept(input);
    }

    private Filter field() {
        var word = word();
        if (word.equals("\"")) {
            return Paths.member(Filter.constant(Json.of(quoted())));
        }
        if (word.isEmpty() || !(Character.isLetter(word.charAt(0)) || word.charAt(0) == '_')) {
            throw unexpected();
        }
        position += word.length();
        return Paths.member(Filter.constant(Json.of(word)));
    }

    private Filter bracket() {
        expect("[");
        if (accept("]")) {
            return Paths::each;
        }
        var key = pipe();
        if (word().equals(":")) {
            throw new JqError("slices such as .[1:2] are not supported");
        }
        expect("]");
        return (run, input, output) ->
                Paths.member((r, _, out) -> key.apply(r, input, out)).apply(run, input, output);
    }

    private Filter array() {
        expect("[");
        if (accept("]")) {
            return Filter.constant(Json.Arr.EMPTY);
        }
        var items = pipe();
        expect("]");
        return Functions.collect(items);
    }

    private Filter object() {
        expect("{");
        var keys = new ArrayList<Filter>();
        var values = new ArrayList<Filter>();
        while (!accept("}")) {
            if (!keys.isEmpty()) {
                expect(",");
            }
            Filter key;
            if (accept("(")) {
                key = pipe();
                expect(")");
            } else if (word().equals("\"")) {
                key = Filter.constant(Json.of(quoted()));
            } else {
                var name = word();
                position += name.length();
                key = Filter.constant(Json.of(name));
            }
            keys.add(key);
            values.add(accept(":") ? alternative() : Paths.member(key));
        }
        return Filter.computed((run, json) -> {
            var fields = Json.Obj.builder();
            for (int i = 0; i < keys.size(); i++) {
                fields.put(one(run, keys.get(i), json).display(), one(run, values.get(i), json));
            }
            return fields.build();
        });
    }

    private static Json one(Run run, Filter filter, Json json) {
        var all = filter.all(run, Value.root(json));
        if (all.size() != 1) {
            throw new JqError("a field of an object needs one value, not " + all.size());
        }
        return all.getFirst();
    }

    private Filter condition() {
        position += word().length();
        var condition = pipe();
        expect("then");
        var then = pipe();
        Filter otherwise;
        if (word().equals("elif")) {
            otherwise = condition();
        } else {
            otherwise = accept("else") ? pipe() : (_, input, output) -> output.accept(input);
            expect("end");
        }
        return (run, input, output) -> condition.apply(
                run, input, value -> (Texts.isTrue(value.json()) ? then : otherwise).apply(run, input, output));
    }

    private Filter call(String name) {
        if (!Character.isLetter(name.charAt(0)) && name.charAt(0) != '_') {
            throw unexpected();
        }
        position += name.length();
        List<Filter> arguments = new ArrayList<>();
        if (accept("(")) {
            do {
                arguments.add(pipe());
            } while (accept(";"));
            expect(")");
        }
        return Functions.of(name, List.copyOf(arguments));
    }

    private Json number() {
        int start = position;
        while (position < text.length()
                && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '.')) {
            position++;
        }
        try {
            return Operators.of(Double.parseDouble(text.substring(start, position)));
        } catch (NumberFormatException _) {
            throw new JqError("\"" + text.substring(start, position) + "\" is no number");
        }
    }

    private String quoted() {
        skip();
        int start = position++;
        while (position < text.length() && text.charAt(position) != '"') {
            if (text.charAt(position) == '\\') {
                position++;
                if (position < text.length() && text.charAt(position) == '(') {
                    throw new JqError("\\(…) in strings is not supported");
                }
            }
            position++;
        }
        if (position >= text.length()) {
            throw new JqError("a string has no end");
        }
        position++;
        try {
            return JsonText.parse(text.substring(start, position)).display();
        } catch (JsonText.Malformed e) {
            throw new JqError("no string: " + e.getMessage());
        }
    }
}

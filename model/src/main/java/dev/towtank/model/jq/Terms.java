package dev.towtank.model.jq;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads what operators stand between: paths, literals, calls, and what begins with a word of its own.
final class Terms {

    /// Never a way out of the expression: no files, no environment, no other inputs.
    private static final Set<String> REFUSED = Set.of("import", "include");

    private static final Set<String> RESERVED =
            Set.of("then", "elif", "else", "end", "as", "catch", "and", "or", "__loc__");

    private final ExpressionText source;
    private final JqParser parser;
    final Patterns patterns;

    Terms(ExpressionText source, JqParser parser) {
        this.source = source;
        this.parser = parser;
        this.patterns = new Patterns(source, parser, this);
    }

    /// A term with all that follows it.
    Filter term() {
        return source.accept("-") ? term().then(Filter.computed((_, json) -> Operators.negate(json))) : postfix();
    }

    private Filter postfix() {
        var filter = primary();
        while (true) {
            if (source.accept("?")) {
                filter = Control.attempt(filter, Filter.NOTHING);
            } else if (source.peek().equals("[")) {
                filter = bracket(filter);
            } else if (source.accept(".")) {
                filter = source.peek().equals("[") ? bracket(filter) : Paths.member(filter, fieldName());
            } else {
                return filter;
            }
        }
    }

    private Filter primary() {
        if (source.atNumber()) {
            return Filter.constant(Operators.of(source.number()));
        }
        var word = source.peek();
        return switch (word) {
            case "\"" -> text(Formats.TEXT);
            case "@" -> format();
            case "(" -> parenthesis();
            case "[" -> array();
            case "{" -> object();
            case "$" -> variable();
            case "." -> path();
            case ".." -> {
                source.expect(word);
                yield Control.recurse(Control.attempt(Paths.EACH, Filter.NOTHING));
            }
            case "def" -> parser.pipe();
            case "if" -> condition();
            case "try" -> attempt();
            case "reduce", "foreach" -> fold();
            case "label" -> label();
            case "break" -> leave();
            default -> word(word);
        };
    }

    private Filter word(String word) {
        if (REFUSED.contains(word)) {
            throw new JqError("\"" + word + "\" is not supported");
        }
        if (RESERVED.contains(word) || !ExpressionText.isName(word)) {
            throw source.unexpected();
        }
        source.expect(word);
        return switch (word) {
            case "true", "false" -> Filter.constant(Json.of(word.equals("true")));
            case "null" -> Filter.constant(Json.Null.NULL);
            default -> Calls.of(parser.scope, word, arguments());
        };
    }

    private List<Filter> arguments() {
        var arguments = new ArrayList<Filter>();
        if (source.accept("(")) {
            do {
                arguments.add(parser.pipe());
            } while (source.accept(";"));
            source.expect(")");
        }
        return List.copyOf(arguments);
    }

    private Filter path() {
        source.expect(".");
        // After a space it is a keyword, as in `. and .x`.
        if (source.touchesName() || source.peek().equals("\"")) {
            return Paths.member(Filter.SAME, fieldName());
        }
        return Filter.SAME;
    }

    private Filter fieldName() {
        return source.peek().equals("\"") ? text(Formats.TEXT) : Filter.constant(Json.of(source.name()));
    }

    private Filter bracket(Filter of) {
        source.expect("[");
        if (source.accept("]")) {
            return of.then(Paths.EACH);
        }
        var start = Filter.constant(Json.Null.NULL);
        if (!source.peek().equals(":")) {
            start = parser.pipe();
            if (source.accept("]")) {
                return Paths.member(of, start);
            }
        }
        source.expect(":");
        var end = Filter.constant(Json.Null.NULL);
        if (!source.peek().equals("]")) {
            end = parser.pipe();
        }
        source.expect("]");
        return Paths.member(of, Filter.operator(start, end, (_, from, to) -> Slice.key(from, to)));
    }

    private Filter parenthesis() {
        source.expect("(");
        var inner = parser.pipe();
        source.expect(")");
        return inner;
    }

    private Filter array() {
        source.expect("[");
        if (source.accept("]")) {
            return Filter.constant(Json.Arr.EMPTY);
        }
        var items = parser.pipe();
        source.expect("]");
        return Lists.collect(items);
    }

    private Filter variable() {
        source.expect("$");
        return variable(source.name());
    }

    private Filter variable(String name) {
        return name.equals("__loc__")
                ? Filter.constant(Json.Obj.of("file", Json.of("<top-level>"), "line", Json.of(source.line())))
                : Calls.variable(parser.scope, name);
    }

    private Filter condition() {
        source.expect(source.peek());
        var condition = parser.pipe();
        source.expect("then");
        var then = parser.pipe();
        if (source.peek().equals("elif")) {
            return Control.condition(condition, then, condition());
        }
        var otherwise = source.accept("else") ? parser.pipe() : Filter.SAME;
        source.expect("end");
        return Control.condition(condition, then, otherwise);
    }

    private Filter attempt() {
        source.expect("try");
        var body = term();
        return Control.attempt(body, source.accept("catch") ? term() : Filter.NOTHING);
    }

    private Filter fold() {
        boolean reduces = source.peek().equals("reduce");
        source.expect(source.peek());
        var values = parser.alternative();
        source.expect("as");
        var outside = parser.scope;
        var pattern = patterns.read();
        var inside = parser.scope;
        source.expect("(");
        parser.scope = outside;
        var start = parser.pipe();
        source.expect(";");
        parser.scope = inside;
        var update = parser.pipe();
        var extract = !reduces && source.accept(";") ? parser.pipe() : Filter.SAME;
        source.expect(")");
        parser.scope = outside;
        return reduces
                ? Control.reduce(values, pattern, start, update)
                : Control.foreach(values, pattern, start, update, extract);
    }

    private Filter label() {
        source.expect("label");
        source.expect("$");
        var outside = parser.scope;
        parser.scope = outside.with("*" + source.name());
        source.expect("|");
        var body = parser.pipe();
        parser.scope = outside;
        return Control.label(body);
    }

    private Filter leave() {
        source.expect("break");
        source.expect("$");
        var name = source.name();
        var found = parser.scope.find("*" + name);
        if (found == null) {
            throw new JqError("label not defined: $" + name);
        }
        return (_, env, _, _) -> {
            throw new Signal.Break(env.at(found.distance()).meaning());
        };
    }

    private Filter format() {
        source.expect("@");
        var format = Formats.named(source.name());
        return source.peek().equals("\"")
                ? text(format)
                : Filter.computed((run, json) -> Json.of(format.of(run, json)));
    }

    /// @param format of what stands in `\(…)`
    private Filter text(Formats.Format format) {
        source.expect("\"");
        var text = Filter.constant(Json.of(plain(source.characters())));
        while (!source.atEndOfText()) {
            source.take("\\(");
            var value = parser.pipe().then(Filter.computed((run, json) -> Json.of(format.of(run, json))));
            source.expect(")");
            var rest = Filter.constant(Json.of(plain(source.characters())));
            text = Filter.operator(Filter.operator(text, value, Operators::add), rest, Operators::add);
        }
        source.take("\"");
        return text;
    }

    private static String plain(String characters) {
        try {
            return JsonText.parse("\"" + characters.replace("\n", "\\n").replace("\t", "\\t") + "\"")
                    .display();
        } catch (JsonText.Malformed e) {
            throw new JqError("no string: " + e.getMessage());
        }
    }

    private Filter object() {
        source.expect("{");
        var object = Filter.constant(Json.Obj.EMPTY);
        boolean first = true;
        while (!source.accept("}")) {
            if (!first) {
                source.expect(",");
            }
            first = false;
            object = field(object);
        }
        return object;
    }

    /// Every key with every value.
    private Filter field(Filter before) {
        Filter key;
        Filter value;
        var word = source.peek();
        if (word.equals("$")) {
            source.expect("$");
            var name = source.name();
            value = variable(name);
            boolean isKey = source.peek().equals(":");
            key = isKey ? value : Filter.constant(Json.of(name));
            value = isKey ? value() : value;
        } else {
            key = key(word);
            value = word.equals("(") || source.peek().equals(":") ? value() : Paths.member(Filter.SAME, key);
        }
        return MemberFunctions.with(before, key, value);
    }

    private Filter value() {
        source.expect(":");
        return parser.fieldValue();
    }

    Filter key(String word) {
        return switch (word) {
            case "(" -> parenthesis();
            case "@" -> format();
            default -> fieldName();
        };
    }
}

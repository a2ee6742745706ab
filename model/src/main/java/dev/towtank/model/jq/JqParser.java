package dev.towtank.model.jq;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Reads operators and definitions, from those that bind least to those that bind most; [Terms] reads what is between
/// them.
final class JqParser {

    private static final List<String> ASSIGNMENTS = List.of("=", "|=", "+=", "-=", "*=", "/=", "%=", "//=");
    private static final List<String> COMPARISONS = List.of("==", "!=", "<", "<=", ">", ">=");

    private final ExpressionText source;
    private final Terms terms;
    // The names that are known where we are.
    Scope scope = Scope.TOP;

    private JqParser(String text) {
        this.source = new ExpressionText(text);
        this.terms = new Terms(source, this);
    }

    static Filter read(String text) {
        var parser = new JqParser(text);
        var filter = parser.pipe();
        if (!parser.source.peek().isEmpty()) {
            throw parser.source.unexpected();
        }
        return filter;
    }

    /// A definition alone, of a function that everybody knows.
    static Scope.Function define(String text) {
        var parser = new JqParser(text);
        parser.definition();
        return Objects.requireNonNull(parser.scope.function());
    }

    Filter pipe() {
        source.enter();
        try {
            return source.peek().equals("def") ? withDefinition() : chain();
        } finally {
            source.leave();
        }
    }

    private Filter chain() {
        var chain = comma();
        while (source.accept("|")) {
            chain = chain.then(comma());
        }
        return chain;
    }

    private Filter withDefinition() {
        var outside = scope;
        definition();
        var body = pipe();
        scope = outside;
        return (run, env, input, output) -> body.apply(run, env.with(new Env.Meaning.Known()), input, output);
    }

    /// Leaves the new name in the scope.
    private void definition() {
        source.expect("def");
        var name = source.name();
        var parameters = new ArrayList<String>();
        if (source.accept("(")) {
            do {
                parameters.add((source.accept("$") ? "$" : "") + source.name());
            } while (source.accept(";"));
            source.expect(")");
        }
        source.expect(":");
        var function = new Scope.Function();
        var known = scope.with(name + "/" + parameters.size(), function);
        scope = known;
        for (var parameter : parameters) {
            scope = scope.with(parameter.replace("$", "") + "/0");
        }
        var variables = parameters.stream().filter(it -> it.startsWith("$")).toList();
        variables.forEach(variable -> scope = scope.with(variable));
        function.is(bound(variables, parameters, pipe()));
        source.expect(";");
        scope = known;
    }

    /// A parameter with a dollar is a variable as well, of each of its values in turn.
    private static Filter bound(List<String> variables, List<String> parameters, Filter body) {
        var bound = body;
        for (int i = variables.size() - 1; i >= 0; i--) {
            int distance = parameters.size() - 1 - parameters.indexOf(variables.get(i)) + i;
            var inner = bound;
            var argument = Calls.argument(distance);
            bound = (run, env, input, output) ->
                    argument.apply(run, env, input, value -> inner.apply(run, env.with(value.json()), input, output));
        }
        return bound;
    }

    private Filter comma() {
        var left = named();
        while (source.accept(",")) {
            left = left.and(named());
        }
        return left;
    }

    /// `… as $x | …`: what gets a name may be an expression with operators, and the name is known up to the end of the
    /// pipe.
    private Filter named() {
        var values = alternative();
        if (!source.accept("as")) {
            return values;
        }
        var outside = scope;
        var pattern = terms.patterns.read();
        source.expect("|");
        var body = pipe();
        scope = outside;
        return (run, env, input, output) -> values.apply(
                run,
                env,
                input,
                value -> pattern.bind(run, env, value.json(), inner -> body.apply(run, inner, input, output)));
    }

    /// What may be the value of a field without parentheses: anything but a comma.
    Filter fieldValue() {
        var value = alternative();
        while (source.accept("|")) {
            value = value.then(alternative());
        }
        return value;
    }

    Filter alternative() {
        var left = assignment();
        return source.accept("//") ? Control.alternative(left, alternative()) : left;
    }

    private Filter assignment() {
        var left = or();
        var symbol = source.peek();
        if (!ASSIGNMENTS.contains(symbol)) {
            return left;
        }
        source.expect(symbol);
        var right = or();
        if (symbol.equals("=")) {
            return Updates.assign(left, right);
        }
        var operation = Operators.named(symbol.substring(0, symbol.length() - 1));
        return operation == null ? Updates.update(left, right) : Updates.operate(left, right, operation);
    }

    private Filter or() {
        var left = and();
        while (source.accept("or")) {
            left = Control.logic(left, and(), true);
        }
        return left;
    }

    private Filter and() {
        var left = comparison();
        while (source.accept("and")) {
            left = Control.logic(left, comparison(), false);
        }
        return left;
    }

    private Filter comparison() {
        var left = sum();
        return COMPARISONS.contains(source.peek()) ? operator(left, this::sum) : left;
    }

    private Filter sum() {
        var left = product();
        while (List.of("+", "-").contains(source.peek())) {
            left = operator(left, this::product);
        }
        return left;
    }

    private Filter product() {
        var left = terms.term();
        while (List.of("*", "/", "%").contains(source.peek())) {
            left = operator(left, terms::term);
        }
        return left;
    }

    private Filter operator(Filter left, Supplier<Filter> right) {
        var symbol = source.peek();
        source.expect(symbol);
        var operation = Objects.requireNonNull(Operators.named(symbol));
        return Filter.operator(left, right.get(), operation);
    }
}

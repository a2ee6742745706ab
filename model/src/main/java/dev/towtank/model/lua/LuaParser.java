package dev.towtank.model.lua;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads a script into a tree whose names are resolved.
final class LuaParser {

    private static final int UNARY_PRIORITY = 8;

    /// How strongly an operator binds to its left and to its right.
    private record Priority(int left, int right) {}

    private static final Map<String, Priority> PRIORITIES = Map.ofEntries(
            Map.entry("or", new Priority(1, 1)),
            Map.entry("and", new Priority(2, 2)),
            Map.entry("<", new Priority(3, 3)),
            Map.entry(">", new Priority(3, 3)),
            Map.entry("<=", new Priority(3, 3)),
            Map.entry(">=", new Priority(3, 3)),
            Map.entry("~=", new Priority(3, 3)),
            Map.entry("==", new Priority(3, 3)),
            Map.entry("..", new Priority(5, 4)),
            Map.entry("+", new Priority(6, 6)),
            Map.entry("-", new Priority(6, 6)),
            Map.entry("*", new Priority(7, 7)),
            Map.entry("/", new Priority(7, 7)),
            Map.entry("%", new Priority(7, 7)),
            Map.entry("^", new Priority(10, 9)));

    private final String chunk;
    private final Words words;
    private Scope scope;

    private LuaParser(String chunk, String text) {
        this.chunk = chunk;
        this.words = new Words(chunk, text);
        this.scope = new Scope(chunk, null, true);
    }

    static FunctionBody parse(String chunk, String text) {
        var parser = new LuaParser(chunk, text);
        var block = parser.block(false);
        if (parser.words.token().kind() != Token.Kind.END) {
            throw parser.words.syntaxError();
        }
        return parser.scope.body(List.of(), block);
    }

    private Statement.Block block(boolean isLoop) {
        scope.open(isLoop);
        var block = statements();
        scope.close();
        return block;
    }

    private Statement.Block statements() {
        words.enter();
        var statements = new ArrayList<Statement>();
        while (!isBlockEnd()) {
            if (words.token().is("return")) {
                statements.add(returned());
                break;
            }
            if (!words.accept(";")) {
                statements.add(statement());
            }
        }
        words.leave();
        return new Statement.Block(List.copyOf(statements));
    }

    private boolean isBlockEnd() {
        return words.token().kind() == Token.Kind.END
                || words.token().is("end")
                || words.token().is("else")
                || words.token().is("elseif")
                || words.token().is("until");
    }

    private Statement returned() {
        words.expect("return");
        List<Expression> values = isBlockEnd() || words.token().is(";") ? List.of() : expressions();
        words.accept(";");
        if (!isBlockEnd()) {
            throw words.syntaxError();
        }
        return new Statement.Return(values);
    }

    private Statement statement() {
        if (words.token().kind() != Token.Kind.SYMBOL) {
            return assignmentOrCall();
        }
        return switch (words.token().text()) {
            case "if" -> condition();
            case "while" -> whileLoop();
            case "do" -> {
                words.take();
                var block = block(false);
                words.expect("end");
                yield block;
            }
            case "for" -> forLoop();
            case "repeat" -> repeatLoop();
            case "function" -> function();
            case "local" -> local();
            case "break" -> broken();
            case "goto" -> jump();
            case "::" -> label();
            default -> assignmentOrCall();
        };
    }

    private Statement condition() {
        var branches = new ArrayList<Statement.If.Branch>();
        do {
            words.take();
            var condition = expression();
            words.expect("then");
            branches.add(new Statement.If.Branch(condition, block(false)));
        } while (words.token().is("elseif"));
        var otherwise = words.accept("else") ? block(false) : new Statement.Block(List.of());
        words.expect("end");
        return new Statement.If(List.copyOf(branches), otherwise);
    }

    private Statement whileLoop() {
        words.take();
        var condition = expression();
        words.expect("do");
        var block = block(true);
        words.expect("end");
        return new Statement.While(condition, block);
    }

    private Statement repeatLoop() {
        words.take();
        scope.open(true);
        var block = statements();
        words.expect("until");
        var condition = expression();
        scope.close();
        return new Statement.Repeat(block, condition);
    }

    private Statement forLoop() {
        int line = words.take().line();
        var first = words.name();
        var statement = words.token().is("=") ? count(first, line) : each(first, line);
        words.expect("end");
        return statement;
    }

    private Statement count(String name, int line) {
        words.expect("=");
        var from = expression();
        words.expect(",");
        var to = expression();
        var by = words.accept(",") ? expression() : new Expression.Constant(1.0);
        words.expect("do");
        scope.open(true);
        var variable = scope.declare(name);
        var block = block(false);
        scope.close();
        return new Statement.Count(variable, from, to, by, block, line);
    }

    private Statement each(String first, int line) {
        var names = new ArrayList<>(List.of(first));
        while (words.accept(",")) {
            names.add(words.name());
        }
        words.expect("in");
        var iterator = expressions();
        words.expect("do");
        scope.open(true);
        var variables = names.stream().map(scope::declare).toList();
        var block = block(false);
        scope.close();
        return new Statement.Each(variables, iterator, block, line);
    }

    private Statement function() {
        words.take();
        int line = words.token().line();
        Expression target = scope.name(words.name(), line);
        boolean isMethod = false;
        while (words.token().is(".") || words.token().is(":")) {
            isMethod = words.take().is(":");
            target = new Expression.Index(target, new Expression.Constant(words.name()), line);
            if (isMethod) {
                break;
            }
        }
        return new Statement.Assign(List.of(target), List.of(function(isMethod)));
    }

    private Expression.Function function(boolean isMethod) {
        words.expect("(");
        var names = new ArrayList<String>();
        if (isMethod) {
            names.add("self");
        }
        boolean isOpen = false;
        while (!words.token().is(")")) {
            if (words.accept("...")) {
                isOpen = true;
                break;
            }
            names.add(words.name());
            if (!words.token().is(")")) {
                words.expect(",");
                if (words.token().is(")")) {
                    throw words.syntaxError();
                }
            }
        }
        words.expect(")");
        var outer = scope;
        scope = new Scope(chunk, outer, isOpen);
        scope.open(false);
        var parameters = names.stream().map(scope::declare).toList();
        var block = block(false);
        words.expect("end");
        scope.close();
        var body = scope.body(parameters, block);
        scope = outer;
        return new Expression.Function(body);
    }

    private Statement local() {
        words.take();
        if (words.accept("function")) {
            var variable = scope.declare(words.name());
            return new Statement.LocalFunction(variable, function(false));
        }
        var names = new ArrayList<String>();
        do {
            names.add(words.name());
        } while (words.accept(","));
        List<Expression> values = words.accept("=") ? expressions() : List.of();
        return new Statement.Local(names.stream().map(scope::declare).toList(), values);
    }

    private Statement broken() {
        int line = words.take().line();
        if (!scope.isInLoop()) {
            throw scope.error(line, "no loop to break");
        }
        return new Statement.Break();
    }

    private Statement jump() {
        int line = words.take().line();
        var statement = new Statement.Goto(words.name(), line);
        scope.jump(statement);
        return statement;
    }

    private Statement label() {
        int line = words.take().line();
        var label = new StatementEnd.Label(words.name(), line);
        words.expect("::");
        while (words.token().is(";")) {
            words.take();
        }
        scope.label(label, isBlockEnd());
        return new Statement.Mark(label);
    }

    private Statement assignmentOrCall() {
        var first = suffixed();
        if (first instanceof Expression.Call || first instanceof Expression.MethodCall) {
            return new Statement.Do(first);
        }
        var targets = new ArrayList<Expression>();
        targets.add(assignable(first));
        while (words.accept(",")) {
            targets.add(assignable(suffixed()));
        }
        words.expect("=");
        return new Statement.Assign(List.copyOf(targets), expressions());
    }

    private Expression assignable(Expression target) {
        return switch (target) {
            case Expression.Local _, Expression.Captured _, Expression.Global _, Expression.Index _ -> target;
            default -> throw words.syntaxError();
        };
    }

    private List<Expression> expressions() {
        var expressions = new ArrayList<Expression>();
        do {
            expressions.add(expression());
        } while (words.accept(","));
        return List.copyOf(expressions);
    }

    private Expression expression() {
        return expression(0);
    }

    private Expression expression(int limit) {
        words.enter();
        var left = unary();
        while (words.token().kind() == Token.Kind.SYMBOL) {
            var priority = PRIORITIES.get(words.token().text());
            if (priority == null || priority.left <= limit) {
                break;
            }
            left = words.token().is("..")
                    ? chain(left, priority)
                    : binary(words.take(), left, expression(priority.right));
        }
        words.leave();
        return left;
    }

    private Expression unary() {
        int line = words.token().line();
        if (words.accept("not")) {
            return new Expression.Not(expression(UNARY_PRIORITY));
        }
        if (words.accept("-")) {
            var inner = expression(UNARY_PRIORITY);
            return inner instanceof Expression.Constant(Double number)
                    ? new Expression.Constant(-number)
                    : new Expression.Negate(inner, line);
        }
        return words.accept("#") ? new Expression.Length(expression(UNARY_PRIORITY), line) : simple();
    }

    private Expression binary(Token operator, Expression left, Expression right) {
        int line = operator.line();
        return switch (operator.text()) {
            case "or" -> new Expression.Or(left, right);
            case "and" -> new Expression.And(left, right);
            case "==" -> new Expression.Compare(Expression.Comparison.EQUAL, left, right, line);
            case "~=" -> new Expression.Compare(Expression.Comparison.DIFFERENT, left, right, line);
            case "<" -> new Expression.Compare(Expression.Comparison.LESS, left, right, line);
            case "<=" -> new Expression.Compare(Expression.Comparison.LESS_OR_EQUAL, left, right, line);
            case ">" -> new Expression.Compare(Expression.Comparison.GREATER, left, right, line);
            case ">=" -> new Expression.Compare(Expression.Comparison.GREATER_OR_EQUAL, left, right, line);
            case "+" -> new Expression.Compute(Arithmetic.ADD, left, right, line);
            case "-" -> new Expression.Compute(Arithmetic.SUBTRACT, left, right, line);
            case "*" -> new Expression.Compute(Arithmetic.MULTIPLY, left, right, line);
            case "/" -> new Expression.Compute(Arithmetic.DIVIDE, left, right, line);
            case "%" -> new Expression.Compute(Arithmetic.MODULO, left, right, line);
            case "^" -> new Expression.Compute(Arithmetic.POWER, left, right, line);
            default -> throw new IllegalStateException("no such operator: " + operator.text());
        };
    }

    /// All of `a .. b .. c` at once, however long: what scripts do to build a message.
    private Expression chain(Expression first, Priority priority) {
        int line = words.token().line();
        var parts = new ArrayList<Expression>();
        parts.add(first);
        while (words.accept("..")) {
            parts.add(expression(priority.left));
        }
        return new Expression.Concatenate(List.copyOf(parts), line);
    }

    private Expression simple() {
        return switch (words.token().kind()) {
            case NUMBER -> new Expression.Constant(words.take().number());
            case TEXT -> new Expression.Constant(words.take().text());
            case NAME, END -> suffixed();
            case SYMBOL -> symbol();
        };
    }

    private Expression symbol() {
        return switch (words.token().text()) {
            case "nil" -> constant(Nil.NIL);
            case "true" -> constant(true);
            case "false" -> constant(false);
            case "..." -> rest();
            case "{" -> table();
            case "function" -> {
                words.take();
                yield function(false);
            }
            default -> suffixed();
        };
    }

    private Expression constant(Object value) {
        words.take();
        return new Expression.Constant(value);
    }

    private Expression rest() {
        int line = words.take().line();
        if (!scope.isOpen) {
            throw scope.error(line, "cannot use '...' outside a vararg function");
        }
        return new Expression.Rest();
    }

    private Expression table() {
        int line = words.take().line();
        var items = new ArrayList<Expression>();
        var entries = new ArrayList<Expression.Table.Entry>();
        while (!words.token().is("}")) {
            if (words.accept("[")) {
                var key = expression();
                words.expect("]");
                words.expect("=");
                entries.add(new Expression.Table.Entry(key, expression()));
            } else if (words.token().kind() == Token.Kind.NAME && words.ahead().is("=")) {
                var key = new Expression.Constant(words.name());
                words.expect("=");
                entries.add(new Expression.Table.Entry(key, expression()));
            } else {
                items.add(expression());
            }
            if (!words.accept(",") && !words.accept(";")) {
                break;
            }
        }
        words.expect("}");
        return new Expression.Table(List.copyOf(items), List.copyOf(entries), line);
    }

    private Expression suffixed() {
        Expression expression;
        if (words.accept("(")) {
            var inner = expression();
            words.expect(")");
            expression = inner.isOpen() || isPlace(inner) ? new Expression.Single(inner) : inner;
        } else {
            int line = words.token().line();
            expression = scope.name(words.name(), line);
        }
        while (true) {
            int line = words.token().line();
            if (words.accept(".")) {
                expression = new Expression.Index(expression, new Expression.Constant(words.name()), line);
            } else if (words.accept("[")) {
                expression = new Expression.Index(expression, expression(), line);
                words.expect("]");
            } else if (words.accept(":")) {
                var method = words.name();
                expression = new Expression.MethodCall(expression, method, arguments(), line);
            } else if (words.token().is("(")
                    || words.token().is("{")
                    || words.token().kind() == Token.Kind.TEXT) {
                expression = new Expression.Call(expression, arguments(), words.lastLine());
            } else {
                return expression;
            }
        }
    }

    /// `(a) = 1` is no assignment.
    private static boolean isPlace(Expression inner) {
        return inner instanceof Expression.Local
                || inner instanceof Expression.Captured
                || inner instanceof Expression.Global
                || inner instanceof Expression.Index;
    }

    private List<Expression> arguments() {
        if (words.token().kind() == Token.Kind.TEXT) {
            return List.of(new Expression.Constant(words.take().text()));
        }
        if (words.token().is("{")) {
            return List.of(table());
        }
        words.expect("(");
        List<Expression> arguments = words.token().is(")") ? List.of() : expressions();
        words.expect(")");
        return arguments;
    }
}

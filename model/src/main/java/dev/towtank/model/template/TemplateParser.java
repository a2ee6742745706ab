package dev.towtank.model.template;

import dev.towtank.model.template.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Makes trees of one text: the template itself, and each that the text defines.
///
/// A definition inside of the text has a parser of its own that shares the lexer: variables do not reach into it.
final class TemplateParser {
    private static final int MAX_NESTING = 500;

    private final Lexer lexer;
    private final TemplateText source;
    private final Predicate<String> isFunction;
    private final Map<String, Tree> trees;
    private final TokenReader tokens;
    private final List<String> variables = new ArrayList<>(List.of("$"));
    private int rangeDepth;
    private int nesting;
    private int actionLine;

    private TemplateParser(Lexer lexer, TemplateText source, Predicate<String> isFunction, Map<String, Tree> trees) {
        this.lexer = lexer;
        this.source = source;
        this.isFunction = isFunction;
        this.trees = trees;
        this.tokens = new TokenReader(lexer);
    }

    /// Puts what a text defines, and the text itself under its name, into the trees.
    static void parse(String name, String text, Predicate<String> isFunction, Map<String, Tree> trees) {
        var source = new TemplateText(name, text);
        var found = new java.util.LinkedHashMap<String, Tree>();
        var parser = new TemplateParser(new Lexer(text), source, isFunction, found);
        parser.add(new Tree(name, source, parser.whole()));
        found.forEach((each, tree) -> {
            var known = trees.get(each);
            if (known == null || !tree.isEmpty()) {
                trees.put(each, tree);
            }
        });
    }

    private Node.Sequence whole() {
        int at = tokens.peek().at();
        var statements = new ArrayList<Node.Statement>();
        while (!tokens.peek().is(Kind.END_OF_TEXT)) {
            if (tokens.peek().is(Kind.LEFT_DELIMITER)) {
                var delimiter = tokens.next();
                if (tokens.nextWord().is(Kind.DEFINE)) {
                    nested().definition();
                    continue;
                }
                tokens.putBack(delimiter);
            }
            var statement = textOrAction();
            if (statement.end() != null) {
                throw mistake("unexpected " + statement.end());
            }
            statements.add(statement.whole());
        }
        return new Node.Sequence(at, List.copyOf(statements));
    }

    private TemplateParser nested() {
        return new TemplateParser(lexer, source, isFunction, trees);
    }

    private void definition() {
        var context = "define clause";
        var name = tokens.nextWord();
        if (!name.is(Kind.STRING) && !name.is(Kind.RAW_STRING)) {
            throw unexpected(name, context);
        }
        var unquoted = unquote(name.text());
        expect(Kind.RIGHT_DELIMITER, context);
        add(new Tree(unquoted, source, body(context)));
    }

    private Node.Sequence body(String context) {
        var list = sequence();
        if (!list.end().equals("{{end}}")) {
            throw mistake("unexpected " + list.end() + " in " + context);
        }
        return list.sequence();
    }

    private void add(Tree tree) {
        var known = trees.get(tree.name());
        if (known == null || known.isEmpty()) {
            trees.put(tree.name(), tree);
        } else if (!tree.isEmpty()) {
            throw mistake("template: multiple definition of template " + GoText.quote(tree.name()));
        }
    }

    /// A sequence, and what ended it.
    private record Ended(Node.Sequence sequence, String end) {}

    private Ended sequence() {
        if (++nesting > MAX_NESTING) {
            throw mistake("max nesting depth exceeded");
        }
        int at = tokens.peekWord().at();
        var statements = new ArrayList<Node.Statement>();
        while (!tokens.peekWord().is(Kind.END_OF_TEXT)) {
            var next = textOrAction();
            var end = next.end();
            if (end != null) {
                nesting--;
                return new Ended(new Node.Sequence(at, List.copyOf(statements)), end);
            }
            statements.add(next.whole());
        }
        throw mistake("unexpected EOF");
    }

    /// A statement, or `{{end}}` or `{{else}}`, which are none.
    private record Part(
            Node.@Nullable Statement statement, @Nullable String end) {
        static Part of(Node.Statement statement) {
            return new Part(statement, null);
        }

        static Part end(String word) {
            return new Part(null, word);
        }

        Node.Statement whole() {
            return java.util.Objects.requireNonNull(statement);
        }
    }

    private Part textOrAction() {
        var token = tokens.nextWord();
        if (token.is(Kind.TEXT)) {
            return Part.of(new Node.Text(token.at(), token.text()));
        }
        if (!token.is(Kind.LEFT_DELIMITER)) {
            throw unexpected(token, "input");
        }
        actionLine = token.line();
        var action = action();
        actionLine = 0;
        return action;
    }

    private Part action() {
        var token = tokens.nextWord();
        return switch (token.kind()) {
            case BLOCK -> Part.of(block());
            case BREAK -> leap(token, "{{break}}", new Node.Break(token.at()));
            case CONTINUE -> leap(token, "{{continue}}", new Node.Continue(token.at()));
            case ELSE -> otherwise();
            case END -> {
                expect(Kind.RIGHT_DELIMITER, "end");
                yield Part.end("{{end}}");
            }
            case IF -> Part.of(control("if"));
            case RANGE -> Part.of(control("range"));
            case TEMPLATE -> Part.of(template());
            case WITH -> Part.of(control("with"));
            default -> {
                tokens.putBack();
                int at = tokens.peek().at();
                yield Part.of(new Node.Action(at, pipeline("command", Kind.RIGHT_DELIMITER)));
            }
        };
    }

    private Part leap(Token word, String shown, Node.Statement statement) {
        // Whoever has a function of that name means the function.
        if (isFunction.test(word.text())) {
            tokens.putBack();
            return Part.of(new Node.Action(word.at(), pipeline("command", Kind.RIGHT_DELIMITER)));
        }
        var token = tokens.nextWord();
        if (!token.is(Kind.RIGHT_DELIMITER)) {
            throw unexpected(token, shown);
        }
        if (rangeDepth == 0) {
            throw mistake(shown + " outside {{range}}");
        }
        return Part.of(statement);
    }

    private Part otherwise() {
        var ahead = tokens.peekWord();
        if (!ahead.is(Kind.IF) && !ahead.is(Kind.WITH)) {
            expect(Kind.RIGHT_DELIMITER, "else");
        }
        return Part.end("{{else}}");
    }

    private Node.Statement control(String word) {
        int mark = variables.size();
        var pipeline = pipeline(word, Kind.RIGHT_DELIMITER);
        boolean isRange = word.equals("range");
        rangeDepth += isRange ? 1 : 0;
        var body = sequence();
        rangeDepth -= isRange ? 1 : 0;
        var otherwise = body.end().equals("{{else}}") ? elseBranch(word) : null;
        variables.subList(mark, variables.size()).clear();
        return switch (word) {
            case "if" -> new Node.If(pipeline, body.sequence(), otherwise);
            case "with" -> new Node.With(pipeline, body.sequence(), otherwise);
            default -> new Node.Range(pipeline, body.sequence(), otherwise);
        };
    }

    // `{{else if x}}` is `{{else}}{{if x}}` that shares its end.
    private Node.Sequence elseBranch(String word) {
        var ahead = tokens.peek();
        if ((word.equals("if") && ahead.is(Kind.IF)) || (word.equals("with") && ahead.is(Kind.WITH))) {
            tokens.next();
            if (++nesting > MAX_NESTING) {
                throw mistake("max nesting depth exceeded");
            }
            var inner = control(word);
            nesting--;
            return new Node.Sequence(ahead.at(), List.of(inner));
        }
        var list = sequence();
        if (!list.end().equals("{{end}}")) {
            throw mistake("expected end; found " + list.end());
        }
        return list.sequence();
    }

    private Node.Statement block() {
        var context = "block clause";
        var token = tokens.nextWord();
        var name = templateName(token, context);
        var pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
        var inner = nested();
        inner.add(new Tree(name, source, inner.body(context)));
        return new Node.Template(token.at(), name, pipeline);
    }

    private Node.Statement template() {
        var context = "template clause";
        var token = tokens.nextWord();
        var name = templateName(token, context);
        if (tokens.nextWord().is(Kind.RIGHT_DELIMITER)) {
            return new Node.Template(token.at(), name, null);
        }
        tokens.putBack();
        return new Node.Template(token.at(), name, pipeline(context, Kind.RIGHT_DELIMITER));
    }

    private String templateName(Token token, String context) {
        if (!token.is(Kind.STRING) && !token.is(Kind.RAW_STRING)) {
            throw unexpected(token, context);
        }
        return unquote(token.text());
    }

    private Node.Pipeline pipeline(String context, Kind end) {
        int at = tokens.peekWord().at();
        var declared = new ArrayList<String>();
        boolean assigns = declarations(context, declared);
        var commands = new ArrayList<Node.Command>();
        while (true) {
            var token = tokens.nextWord();
            if (token.is(end)) {
                checkPipeline(commands, context);
                return new Node.Pipeline(at, assigns, List.copyOf(declared), List.copyOf(commands));
            }
            switch (token.kind()) {
                case BOOL,
                        CHARACTER_CONSTANT,
                        COMPLEX,
                        DOT,
                        FIELD,
                        IDENTIFIER,
                        NUMBER,
                        NIL,
                        RAW_STRING,
                        STRING,
                        VARIABLE,
                        LEFT_PARENTHESIS -> {
                    tokens.putBack();
                    commands.add(command());
                }
                default -> {
                    if (!(token.is(Kind.BREAK) || token.is(Kind.CONTINUE)) || !isFunction.test(token.text())) {
                        throw unexpected(token, context);
                    }
                    tokens.putBack();
                    commands.add(command());
                }
            }
        }
    }

    // Reads `$x :=`, `$x =` or, in a range, `$i, $x :=`; tells whether it assigns.
    private boolean declarations(String context, List<String> declared) {
        while (tokens.peekWord().is(Kind.VARIABLE)) {
            var variable = tokens.nextWord();
            // A space decides whether what follows is an argument, so it must be put back as well.
            var adjacent = tokens.peek();
            var next = tokens.peekWord();
            if (next.is(Kind.ASSIGN) || next.is(Kind.DECLARE)) {
                tokens.nextWord();
                declare(variable, declared);
                return next.is(Kind.ASSIGN);
            }
            if (!next.is(Kind.CHARACTER) || !next.text().equals(",")) {
                if (adjacent.is(Kind.SPACE)) {
                    tokens.putBack(variable, adjacent);
                } else {
                    tokens.putBack(variable);
                }
                return false;
            }
            tokens.nextWord();
            declare(variable, declared);
            if (!context.equals("range") || declared.size() >= 2) {
                throw mistake("too many declarations in " + context);
            }
            switch (tokens.peekWord().kind()) {
                case VARIABLE, RIGHT_DELIMITER, RIGHT_PARENTHESIS -> {}
                default -> throw mistake("range can only initialize variables");
            }
        }
        return false;
    }

    private void declare(Token variable, List<String> declared) {
        declared.add(variable.text());
        variables.add(variable.text());
    }

    private void checkPipeline(List<Node.Command> commands, String context) {
        if (commands.isEmpty()) {
            throw mistake("missing value for " + context);
        }
        for (int i = 1; i < commands.size(); i++) {
            switch (commands.get(i).operands().getFirst()) {
                case Node.Bool _, Node.Dot _, Node.Nil _, Node.Numeral _, Node.Str _ ->
                    throw mistake("non executable command in pipeline stage " + (i + 1));
                case Node.Pipeline _, Node.Identifier _, Node.Variable _, Node.Field _, Node.Chain _ -> {}
            }
        }
    }

    private Node.Command command() {
        int at = tokens.peekWord().at();
        var operands = new ArrayList<Node.Operand>();
        while (true) {
            tokens.peekWord();
            var operand = operand();
            if (operand != null) {
                operands.add(operand);
            }
            var token = tokens.next();
            if (token.is(Kind.SPACE)) {
                continue;
            }
            if (token.is(Kind.RIGHT_DELIMITER) || token.is(Kind.RIGHT_PARENTHESIS)) {
                tokens.putBack();
            } else if (!token.is(Kind.PIPE)) {
                throw unexpected(token, "operand");
            }
            break;
        }
        if (operands.isEmpty()) {
            throw mistake("empty command");
        }
        return new Node.Command(at, List.copyOf(operands));
    }

    private Node.@Nullable Operand operand() {
        var term = term();
        if (term == null || !tokens.peek().is(Kind.FIELD)) {
            return term;
        }
        int at = tokens.peek().at();
        var fields = new ArrayList<String>();
        while (tokens.peek().is(Kind.FIELD)) {
            fields.add(tokens.next().text().substring(1));
        }
        return switch (term) {
            case Node.Field(var _, var names) -> {
                fields.addAll(0, names);
                yield new Node.Field(at, List.copyOf(fields));
            }
            case Node.Variable(var _, var name, var _) -> new Node.Variable(at, name, List.copyOf(fields));
            case Node.Bool _, Node.Str _, Node.Numeral _, Node.Nil _, Node.Dot _ ->
                throw mistake("unexpected . after term " + GoText.quote(term.shown()));
            case Node.Pipeline _, Node.Identifier _, Node.Chain _ -> new Node.Chain(at, term, List.copyOf(fields));
        };
    }

    private Node.@Nullable Operand term() {
        var token = tokens.nextWord();
        return switch (token.kind()) {
            case IDENTIFIER, BREAK, CONTINUE -> {
                if (!isFunction.test(token.text())) {
                    if (!token.is(Kind.IDENTIFIER)) {
                        tokens.putBack();
                        yield null;
                    }
                    throw mistake("function " + GoText.quote(token.text()) + " not defined");
                }
                yield new Node.Identifier(token.at(), token.text());
            }
            case DOT -> new Node.Dot(token.at());
            case NIL -> new Node.Nil(token.at());
            case VARIABLE -> {
                if (!variables.contains(token.text())) {
                    throw mistake("undefined variable " + GoText.quote(token.text()));
                }
                yield new Node.Variable(token.at(), token.text(), List.of());
            }
            case FIELD -> new Node.Field(token.at(), List.of(token.text().substring(1)));
            case BOOL -> new Node.Bool(token.at(), token.text().equals("true"));
            case CHARACTER_CONSTANT, NUMBER -> number(token);
            case COMPLEX -> throw mistake("complex number " + token.text() + " is not supported");
            case LEFT_PARENTHESIS -> {
                if (++nesting > MAX_NESTING) {
                    throw mistake("max expression depth exceeded");
                }
                var inner = pipeline("parenthesized pipeline", Kind.RIGHT_PARENTHESIS);
                nesting--;
                yield inner;
            }
            case STRING, RAW_STRING -> new Node.Str(token.at(), token.text(), unquote(token.text()));
            default -> {
                tokens.putBack();
                yield null;
            }
        };
    }

    private Node.Numeral number(Token token) {
        try {
            return Literals.number(token.at(), token.text(), token.is(Kind.CHARACTER_CONSTANT));
        } catch (Literals.Malformed e) {
            throw mistake(e.text());
        }
    }

    private String unquote(String literal) {
        try {
            return Literals.unquote(literal);
        } catch (Literals.Malformed e) {
            throw mistake(e.text());
        }
    }

    private void expect(Kind kind, String context) {
        var token = tokens.nextWord();
        if (!token.is(kind)) {
            throw unexpected(token, context);
        }
    }

    private TemplateError unexpected(Token token, String context) {
        if (!token.is(Kind.ERROR)) {
            return mistake("unexpected " + token.shown() + " in " + context);
        }
        var extra = "";
        if (actionLine != 0 && actionLine != token.line()) {
            boolean saysAction = token.text().endsWith(" action");
            extra = (saysAction ? "" : " in action") + " started at " + source.name() + ":" + actionLine;
        }
        return mistake(token.shown() + extra);
    }

    private TemplateError mistake(String message) {
        return new TemplateError("template: " + source.name() + ":" + tokens.line() + ": " + message);
    }
}

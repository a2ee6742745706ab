package dev.towtank.model;

import static java.util.Objects.requireNonNull;

import dev.towtank.model.LabelSelector.Operator;
import dev.towtank.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads the query syntax of label selectors and says what is wrong with it in Kubernetes' words.
final class LabelSelectorParser {

    private static final Map<String, Token> TOKENS = Map.ofEntries(
            Map.entry(")", Token.CLOSE),
            Map.entry(",", Token.COMMA),
            Map.entry("!", Token.NOT),
            Map.entry("==", Token.DOUBLE_EQUALS),
            Map.entry("=", Token.EQUALS),
            Map.entry(">", Token.GREATER_THAN),
            Map.entry("in", Token.IN),
            Map.entry("<", Token.LESS_THAN),
            Map.entry("!=", Token.NOT_EQUALS),
            Map.entry("notin", Token.NOT_IN),
            Map.entry("(", Token.OPEN));

    private enum Token {
        CLOSE,
        COMMA,
        NOT,
        DOUBLE_EQUALS,
        EQUALS,
        GREATER_THAN,
        IN,
        LESS_THAN,
        NOT_EQUALS,
        NOT_IN,
        OPEN,
        IDENTIFIER,
        END;

        /// `in` and `notin` are operators only where an operator may stand; elsewhere they are names.
        Token asValue() {
            return this == IN || this == NOT_IN ? IDENTIFIER : this;
        }
    }

    private record Item(Token token, String text) {}

    private final List<Item> items = new ArrayList<>();
    private int position;

    LabelSelectorParser(String text) {
        int at = 0;
        while (at < text.length()) {
            if (isSpace(text.charAt(at))) {
                at++;
            } else if (isSymbol(text.charAt(at))) {
                at = scanSymbol(text, at);
            } else {
                at = scanWord(text, at);
            }
        }
        items.add(new Item(Token.END, ""));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isSymbol(char c) {
        return "=!(),><".indexOf(c) >= 0;
    }

    private int scanWord(String text, int start) {
        int end = start;
        while (end < text.length() && !isSpace(text.charAt(end)) && !isSymbol(text.charAt(end))) {
            end++;
        }
        var word = text.substring(start, end);
        items.add(new Item(TOKENS.getOrDefault(word, Token.IDENTIFIER), word));
        return end;
    }

    // Every symbol is a token by itself, so the longest one is found by looking one character ahead.
    private int scanSymbol(String text, int start) {
        int end = start + 1;
        if (end < text.length() && TOKENS.containsKey(text.substring(start, end + 1))) {
            end++;
        }
        var symbol = text.substring(start, end);
        items.add(new Item(requireNonNull(TOKENS.get(symbol)), symbol));
        return end;
    }

    List<Requirement> parse() {
        var found = new ArrayList<Requirement>();
        if (peek() == Token.END) {
            return found;
        }
        if (!startsRequirement()) {
            throw unexpected("!, identifier, or 'end of string'");
        }
        while (true) {
            found.add(requirement());
            switch (peek()) {
                case END -> {
                    return found;
                }
                case COMMA -> position++;
                default -> throw unexpected("',' or 'end of string'");
            }
            if (!startsRequirement()) {
                throw unexpected("identifier after ','");
            }
        }
    }

    private boolean startsRequirement() {
        return peek() == Token.IDENTIFIER || peek() == Token.NOT;
    }

    private Requirement requirement() {
        try {
            var requirement = parsedRequirement();
            check(requirement);
            return requirement;
        } catch (StatusError e) {
            throw StatusError.badRequest("unable to parse requirement: " + e.text());
        }
    }

    private Requirement parsedRequirement() {
        boolean negated = peek() == Token.NOT;
        if (negated) {
            position++;
        }
        if (peek() != Token.IDENTIFIER) {
            throw unexpected("identifier");
        }
        var key = items.get(position++).text;
        checkKey(key, "");
        if (negated) {
            return new Requirement(key, Operator.DOES_NOT_EXIST, List.of());
        }
        if (peek() == Token.END || peek() == Token.COMMA) {
            return new Requirement(key, Operator.EXISTS, List.of());
        }
        var operator = operator();
        position++;
        return new Requirement(
                key,
                operator,
                operator == Operator.IN || operator == Operator.NOT_IN ? valueSet() : List.of(exactValue()));
    }

    private Operator operator() {
        return switch (items.get(position).token) {
            case IN -> Operator.IN;
            case NOT_IN -> Operator.NOT_IN;
            case EQUALS -> Operator.EQUALS;
            case DOUBLE_EQUALS -> Operator.DOUBLE_EQUALS;
            case NOT_EQUALS -> Operator.NOT_EQUALS;
            case GREATER_THAN -> Operator.GREATER_THAN;
            case LESS_THAN -> Operator.LESS_THAN;
            case CLOSE, COMMA, NOT, OPEN, IDENTIFIER, END -> throw unexpected("in, notin, =, ==, !=, gt, lt");
        };
    }

    private String exactValue() {
        if (peek() == Token.END || peek() == Token.COMMA) {
            return "";
        }
        if (peek() != Token.IDENTIFIER) {
            throw unexpected("identifier");
        }
        return items.get(position++).text;
    }

    /// A list in parentheses; nothing between two commas is the empty value.
    private List<String> valueSet() {
        if (peek() != Token.OPEN) {
            throw StatusError.badRequest("found '" + items.get(position).text + "' expected: '('");
        }
        position++;
        if (peek() != Token.IDENTIFIER && peek() != Token.COMMA && peek() != Token.CLOSE) {
            throw unexpected("',', ')' or identifier");
        }
        var values = new ArrayList<String>();
        while (true) {
            if (peek() == Token.IDENTIFIER) {
                values.add(items.get(position++).text);
            } else {
                values.add("");
            }
            switch (peek()) {
                case COMMA -> position++;
                case CLOSE -> {
                    position++;
                    return values;
                }
                default -> throw unexpected("',' or ')'");
            }
            if (peek() != Token.IDENTIFIER && peek() != Token.COMMA && peek() != Token.CLOSE) {
                throw unexpected("',', or identifier");
            }
        }
    }

    private Token peek() {
        return items.get(position).token.asValue();
    }

    private StatusError unexpected(String expected) {
        return StatusError.badRequest("found '" + items.get(position).text + "', expected: " + expected);
    }

    /// What a requirement must fulfil in whatever form it was written.
    static void check(Requirement requirement) {
        checkKey(requirement.key(), "key");
        var errors = new FieldError.Collector();
        var path = Path.of("values");
        var values = requirement.values();
        switch (requirement.operator()) {
            case IN, NOT_IN -> {
                if (values.isEmpty()) {
                    errors.invalid(path, Json.Arr.EMPTY, "for 'in', 'notin' operators, values set can't be empty");
                }
            }
            case EXISTS, DOES_NOT_EXIST -> {
                if (!values.isEmpty()) {
                    errors.invalid(
                            path, Json.Arr.ofStrings(values), "values set must be empty for exists and does not exist");
                }
            }
            case GREATER_THAN, LESS_THAN -> {
                if (!isInteger(values.getFirst())) {
                    errors.invalid(
                            path.index(0), values.getFirst(), "for 'Gt', 'Lt' operators, the value must be an integer");
                }
            }
            case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> {}
        }
        for (int i = 0; i < values.size(); i++) {
            var problems = Names.labelValue(values.get(i));
            if (!problems.isEmpty()) {
                errors.invalid(path.index(i).key(requirement.key()), values.get(i), String.join("; ", problems));
            }
        }
        refuse(errors);
    }

    private static void checkKey(String key, String path) {
        var problems = Names.qualifiedName(key);
        if (!problems.isEmpty()) {
            var errors = new FieldError.Collector();
            errors.invalid(new Path(path), key, String.join("; ", problems));
            refuse(errors);
        }
    }

    private static void refuse(FieldError.Collector errors) {
        var texts = errors.errors().stream().map(FieldError::message).toList();
        if (texts.size() == 1) {
            throw StatusError.badRequest(texts.getFirst());
        }
        if (!texts.isEmpty()) {
            throw StatusError.badRequest("[" + String.join(", ", texts) + "]");
        }
    }

    private static boolean isInteger(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}

package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.cel.TriggersFunctions;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// CEL about an event. All of it together may take so many steps, and no more.
final class EventExpressions {

    private static final Shape ANY = new Shape.MapOf(Shape.Scalar.ANY);
    private static final String HEADS = "refs/heads/";

    /// What it takes to read an expression, in steps.
    private static final long COMPILED = 5000;

    /// `"docs/*".pathChanged()` is known before the rest is evaluated.
    private static final Pattern PATH_CHANGED =
            Pattern.compile("(\"[^\"\\\\]*\"|'[^'\\\\]*')\\s*\\.\\s*pathChanged\\s*\\(\\s*\\)");

    private static final Pattern WORD = Pattern.compile("(^|-)[a-z]");

    /// Texts, but for those that name a field. They may be long, and Java's own patterns would need a deep stack.
    private static final com.google.re2j.Pattern TEXTS = com.google.re2j.Pattern.compile(
            "\\[?(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')", com.google.re2j.Pattern.DOTALL);

    private static final Pattern LABELS = Pattern.compile(
            "\\bevent_type\\b|\\.\\s*(pull_request_)?labels\\b|\\[[\"'](pull_request_)?labels[\"']\\s*]");

    private final GitEvent event;
    private final Supplier<ChangedFiles> files;
    private final Map<String, String> params;
    private final Json body;
    private long stepsLeft = Expressions.PER_OBJECT_LIMIT;

    /// @param files asked for only where an expression is about them
    EventExpressions(GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params) {
        this.event = event;
        this.files = files;
        this.params = Map.copyOf(params);
        this.body = TriggersFunctions.numbersAsReals(event.body());
    }

    /// The expression is wrong, or cannot be evaluated.
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// Whether no expression can be evaluated any more, however short it is.
    boolean isExhausted() {
        return stepsLeft == 0;
    }

    /// As the annotation `on-cel-expression` is evaluated.
    boolean matches(String text) throws Failed {
        if (event.type().equals(GitEvent.LABELED) && !isAboutLabels(text)) {
            return false;
        }
        boolean isWhole = text.contains(HEADS) || !event.isPush();
        var variables = new HashMap<String, Json>();
        params.forEach((name, value) -> variables.put(name, Json.of(value)));
        variables.put("event", Json.of(event.target()));
        variables.put("event_type", Json.of(event.type()));
        variables.put("event_title", Json.of(event.isPush() ? event.shaTitle() : event.title()));
        variables.put("target_branch", Json.of(isWhole ? event.base() : branch(event.base())));
        variables.put("source_branch", Json.of(isWhole ? event.head() : branch(event.head())));
        variables.put("target_url", Json.of(event.baseUrl()));
        variables.put("source_url", Json.of(event.headUrl()));
        variables.put("body", body);
        variables.put("headers", Json.Obj.ofStrings(event.headers()));
        variables.put("files", text.contains("files") ? files.get().json() : ChangedFiles.NONE.json());
        return evaluate(decidedPaths(text), variables).equals(Json.Bool.TRUE);
    }

    /// Whether it asks for labels, or whether somebody has changed them; to speak of them in a text is not enough.
    static boolean isAboutLabels(String text) {
        // What stands behind a bracket is the name of a field.
        var texts = TEXTS.matcher(text);
        var withoutTexts = new StringBuilder();
        int behind = 0;
        while (texts.find()) {
            withoutTexts.append(text, behind, texts.start());
            withoutTexts.append(text.charAt(texts.start()) == '[' ? texts.group() : "''");
            behind = texts.end();
        }
        return LABELS.matcher(withoutTexts.append(text, behind, text.length())).find();
    }

    /// As a placeholder of a template is: `body.x`, `headers['x']`, `files.all`, and with `pac` where it is asked for.
    Json value(String text) throws Failed {
        var variables = new HashMap<String, Json>();
        variables.put("body", body);
        variables.put("headers", Json.Obj.ofStrings(named(event.headers())));
        variables.put("files", text.contains("files") ? files.get().json() : ChangedFiles.NONE.json());
        variables.put("pac", Json.Obj.ofStrings(params));
        return evaluate(text, variables);
    }

    /// Templates write their names as forges do, and expressions in small letters.
    private static Map<String, String> named(Map<String, String> headers) {
        var both = new HashMap<>(headers);
        headers.forEach((name, value) ->
                both.put(WORD.matcher(name).replaceAll(found -> found.group().toUpperCase(Locale.ROOT)), value));
        return both;
    }

    static String branch(String ref) {
        return ref.startsWith(HEADS) ? ref.substring(HEADS.length()) : ref;
    }

    private String decidedPaths(String text) throws Failed {
        try {
            return PATH_CHANGED.matcher(text).replaceAll((MatchResult found) -> {
                var glob = found.group(1).substring(1, found.group(1).length() - 1);
                return String.valueOf(files.get().all().stream().anyMatch(file -> EventGlobs.matches(glob, file)));
            });
        } catch (IllegalArgumentException e) {
            throw new Failed("pathChanged: " + e.getMessage());
        }
    }

    private Json evaluate(String text, Map<String, Json> variables) throws Failed {
        var shapes = new HashMap<String, Shape>();
        variables.forEach((name, value) -> shapes.put(name, value instanceof Json.Obj ? ANY : Shape.Scalar.STRING));
        try {
            var expression = Expressions.triggers().scope(shapes).compile(text, Shape.Scalar.ANY);
            var outcome =
                    expression.evaluate(new Activation(variables), Math.min(stepsLeft, Expressions.PER_CALL_LIMIT));
            stepsLeft = Math.max(0, stepsLeft - outcome.cost() - COMPILED);
            return switch (outcome) {
                case Expression.Outcome.Value(var json, var _) -> json;
                case Expression.Outcome.Failed(var why, var _) ->
                    throw new Failed("expression " + JsonText.write(Json.of(text)) + " failed to evaluate: " + why);
                case Expression.Outcome.TooExpensive _ ->
                    throw new Failed("expression " + JsonText.write(Json.of(text)) + " takes too many steps");
            };
        } catch (Expressions.Malformed e) {
            throw new Failed("expression " + JsonText.write(Json.of(text)) + " check failed: " + e.text());
        }
    }
}

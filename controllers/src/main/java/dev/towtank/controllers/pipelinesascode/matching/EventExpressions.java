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
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// CEL about an event.
final class EventExpressions {

    private static final Shape ANY = new Shape.MapOf(Shape.Scalar.ANY);
    private static final String HEADS = "refs/heads/";

    /// `"docs/*".pathChanged()` is known before the rest is evaluated.
    private static final Pattern PATH_CHANGED =
            Pattern.compile("(\"[^\"\\\\]*\"|'[^'\\\\]*')\\s*\\.\\s*pathChanged\\s*\\(\\s*\\)");

    private EventExpressions() {}

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

    /// As the annotation `on-cel-expression` is evaluated.
    static boolean matches(String text, GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params)
            throws Failed {
        if (event.type().equals(GitEvent.LABELED) && !text.contains("event_type") && !text.contains("labels")) {
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
        variables.put("body", TriggersFunctions.numbersAsReals(event.body()));
        variables.put("headers", Json.Obj.ofStrings(event.headers()));
        variables.put("files", text.contains("files") ? files.get().json() : ChangedFiles.NONE.json());
        return evaluate(decidedPaths(text, files), variables).equals(Json.Bool.TRUE);
    }

    /// As a placeholder of a template is: `body.x`, `headers['x']`, `files.all`, and with `pac` where it is asked for.
    static Json value(String text, GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params)
            throws Failed {
        var variables = new HashMap<String, Json>();
        variables.put("body", TriggersFunctions.numbersAsReals(event.body()));
        variables.put("headers", Json.Obj.ofStrings(event.headers()));
        variables.put("files", text.contains("files") ? files.get().json() : ChangedFiles.NONE.json());
        variables.put("pac", Json.Obj.ofStrings(params));
        return evaluate(text, variables);
    }

    static String branch(String ref) {
        return ref.startsWith(HEADS) ? ref.substring(HEADS.length()) : ref;
    }

    private static String decidedPaths(String text, Supplier<ChangedFiles> files) throws Failed {
        try {
            return PATH_CHANGED.matcher(text).replaceAll((MatchResult found) -> {
                var glob = found.group(1).substring(1, found.group(1).length() - 1);
                return String.valueOf(files.get().all().stream().anyMatch(file -> Globs.matches(glob, file)));
            });
        } catch (IllegalArgumentException e) {
            throw new Failed("pathChanged: " + e.getMessage());
        }
    }

    private static Json evaluate(String text, Map<String, Json> variables) throws Failed {
        var shapes = new HashMap<String, Shape>();
        variables.forEach((name, value) -> shapes.put(name, value instanceof Json.Obj ? ANY : Shape.Scalar.STRING));
        try {
            var expression = Expressions.triggers().scope(shapes).compile(text, Shape.Scalar.ANY);
            return switch (expression.evaluate(new Activation(variables), Expressions.PER_CALL_LIMIT)) {
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

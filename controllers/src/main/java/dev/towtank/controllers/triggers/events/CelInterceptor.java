package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.TriggersFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The interceptor `cel`: a filter that must be true, and overlays that become extensions.
final class CelInterceptor {

    private static final int DEEPEST_KEY = 32;

    private CelInterceptor() {}

    static Json.Obj process(Event event, Json.Obj params, Means means) throws EventRefusal {
        var evaluation = new Evaluation(activation(event), means.expressions(), secrets(means));
        var filter = params.string("filter");
        if (!filter.isEmpty() && !evaluation.of(filter).equals(Json.Bool.TRUE)) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "expression " + filter + " did not return true");
        }
        var extensions = Json.Obj.EMPTY;
        for (var overlay : params.objects("overlays")) {
            extensions = extensions.with(steps(overlay.string("key")), evaluation.of(overlay.string("expression")));
        }
        return extensions;
    }

    private static TriggersFunctions.Secrets secrets(Means means) {
        boolean counts = means.deviations().has(Deviations.SECRET_NAMESPACE);
        return (namespace, name, key) -> means.secrets().find(counts ? namespace : "", name, key);
    }

    private static Activation activation(Event event) throws EventRefusal {
        try {
            var body = event.body().isEmpty() ? Json.Obj.EMPTY : JsonText.parseObject(event.body());
            return new Activation(Map.of(
                    "body", TriggersFunctions.numbersAsReals(body),
                    "header", event.headers().lists(),
                    "extensions", TriggersFunctions.numbersAsReals(event.extensions()),
                    "requestURL", Json.of(event.url())));
        } catch (JsonText.Malformed e) {
            throw new EventRefusal(
                    Code.INVALID_ARGUMENT,
                    "error making the evaluation context: failed to parse the body as JSON: " + e.getMessage());
        }
    }

    /// `a.b` nests; `a\.b` is one key.
    private static List<String> steps(String key) throws EventRefusal {
        var steps = new ArrayList<String>();
        for (var step : key.split("(?<!\\\\)\\.", -1)) {
            steps.add(step.replace("\\.", "."));
        }
        if (key.isEmpty() || steps.size() > DEEPEST_KEY) {
            throw new EventRefusal(Code.INTERNAL, "failed to sjson for key '" + key + "'");
        }
        return steps;
    }

    private record Evaluation(
            Activation activation, CompiledExpressions expressions, TriggersFunctions.Secrets secrets) {

        Json of(String text) throws EventRefusal {
            Expression expression;
            try {
                expression = expressions.of(text);
            } catch (Expressions.Malformed e) {
                throw failed(
                        text,
                        (e.text().contains("recognition error") ? "failed to parse expression: " : "check failed: ")
                                + e.text());
            }
            var outcome = TriggersFunctions.withSecrets(
                    secrets, () -> expression.evaluate(activation, Expressions.PER_CALL_LIMIT));
            return switch (outcome) {
                case Expression.Outcome.Value(var json, var _) -> whole(json);
                case Expression.Outcome.Failed(var why, var _) -> throw failed(text, "failed to evaluate: " + why);
                case Expression.Outcome.TooExpensive _ ->
                    throw failed(text, "failed to evaluate: it takes too many steps");
            };
        }

        private static EventRefusal failed(String text, String why) {
            return new EventRefusal(
                    Code.INVALID_ARGUMENT, "error evaluating cel expression: expression " + Json.of(text) + " " + why);
        }

        // A real number without a fraction is written without one.
        private static Json whole(Json json) {
            return switch (json) {
                case Json.Real(var number)
                when number == Math.rint(number) && Math.abs(number) < 1e15 -> Json.of((long) number);
                case Json.Arr array -> array.map(Evaluation::whole);
                case Json.Obj object -> {
                    var changed = Json.Obj.builder();
                    object.forEach((key, value) -> changed.put(key, whole(value)));
                    yield changed.build();
                }
                case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
            };
        }
    }
}

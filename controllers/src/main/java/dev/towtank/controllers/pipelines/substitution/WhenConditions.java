package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.model.Json;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether the conditions of a pipeline task or a step let it run. Their variables are already replaced.
public final class WhenConditions {

    private WhenConditions() {}

    public sealed interface Outcome {
        record Holds() implements Outcome {}

        record DoesNotHold() implements Outcome {}

        /// An expression cannot be evaluated; the message says why.
        record Failed(String message) implements Outcome {}
    }

    /// All must hold. An expression that cannot be evaluated fails even where another condition does not hold.
    public static Outcome evaluate(List<When> conditions) {
        boolean holds = true;
        for (var condition : conditions) {
            if (!condition.cel().isEmpty()) {
                switch (expression(condition.cel())) {
                    case Outcome.Failed failed -> {
                        return failed;
                    }
                    case Outcome.DoesNotHold _ -> holds = false;
                    case Outcome.Holds _ -> {}
                }
            }
            holds &= comparison(condition);
        }
        return holds ? new Outcome.Holds() : new Outcome.DoesNotHold();
    }

    private static boolean comparison(When condition) {
        boolean isIn = condition.values().contains(condition.input());
        return condition.operator().equals("in") == isIn;
    }

    /// Why a text is no expression, if it is none.
    public static Optional<String> malformed(String text) {
        try {
            compile(text);
            return Optional.empty();
        } catch (Expressions.Malformed e) {
            return Optional.of(e.text());
        }
    }

    private static Expression compile(String text) throws Expressions.Malformed {
        return Expressions.kubernetes().compile(text, Map.of(), Shape.Scalar.ANY);
    }

    private static Outcome expression(String text) {
        try {
            return switch (compile(text).evaluate(Map.of(), Expressions.PER_CALL_LIMIT)) {
                case Expression.Outcome.Value(Json.Bool(var flag), var _) ->
                    flag ? new Outcome.Holds() : new Outcome.DoesNotHold();
                case Expression.Outcome.Value _ ->
                    new Outcome.Failed("The CEL expression " + text + " is not evaluated to a boolean");
                case Expression.Outcome.Failed(var message, var _) -> new Outcome.Failed(message);
                case Expression.Outcome.TooExpensive _ ->
                    new Outcome.Failed("The CEL expression " + text + " takes too long to evaluate");
            };
        } catch (Expressions.Malformed e) {
            return new Outcome.Failed(e.text());
        }
    }
}

package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import java.util.Optional;

/// Whether a model answered its test as it should.
final class Answers {

    private Answers() {}

    /// @param result the predictions, or a text that says why there are none
    static Optional<String> problem(Steps.Test test, Json result) {
        if (result instanceof Json.Str(var why)) {
            return Optional.of(why);
        }
        if (!(result instanceof Json.Arr predictions)
                || predictions.size() != test.instances().size()) {
            return Optional.of(
                    "it answers %d rows with %s".formatted(test.instances().size(), shown(result)));
        }
        if (!isFinite(predictions)) {
            return Optional.of("it answers " + shown(predictions) + ", where numbers are missing");
        }
        return test.predictions()
                .filter(expected -> !isNear(expected, predictions, test.tolerance()))
                .map(expected -> "it answers " + shown(predictions) + " in place of " + shown(expected));
    }

    private static String shown(Json json) {
        var text = json.toString();
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }

    /// Servers write null for what is not finite.
    private static boolean isFinite(Json value) {
        return switch (value) {
            case Json.Null _ -> false;
            case Json.Arr values -> {
                for (var each : values) {
                    if (!isFinite(each)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Json.Bool _, Json.Int _, Json.Real _, Json.Str _, Json.Obj _ -> true;
        };
    }

    private static boolean isNear(Json expected, Json found, double tolerance) {
        if (expected instanceof Json.Arr some && found instanceof Json.Arr others) {
            boolean isNear = some.size() == others.size();
            for (int i = 0; isNear && i < some.size(); i++) {
                isNear = isNear(some.get(i), others.get(i), tolerance);
            }
            return isNear;
        }
        double number = number(expected);
        return Double.isNaN(number)
                ? expected.equals(found)
                : Math.abs(number - number(found)) <= tolerance * Math.max(1, Math.abs(number));
    }

    private static double number(Json json) {
        return switch (json) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case Json.Null _, Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ -> Double.NaN;
        };
    }
}

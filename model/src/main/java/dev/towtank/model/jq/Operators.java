package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Arithmetic on values of all types.
final class Operators {

    // Up to here a double knows every whole number.
    private static final double WHOLE = 1L << 53;

    private Operators() {}

    static Json of(double number) {
        if (Double.isNaN(number)) {
            throw new JqError("the result is no number");
        }
        if (number == Math.rint(number) && Math.abs(number) <= WHOLE) {
            return Json.of((long) number);
        }
        return new Json.Real(Math.clamp(number, -Double.MAX_VALUE, Double.MAX_VALUE));
    }

    /// The operation behind a symbol, or null.
    static Filter.@Nullable Operation named(String symbol) {
        return switch (symbol) {
            case "+" -> Operators::add;
            case "-" -> Operators::subtract;
            case "*" -> Operators::multiply;
            case "/" -> Operators::divide;
            case "%" -> Operators::remainder;
            case "//" -> (_, left, right) -> Texts.isTrue(left) ? left : right;
            case "==" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) == 0);
            case "!=" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) != 0);
            case "<" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) < 0);
            case "<=" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) <= 0);
            case ">" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) > 0);
            case ">=" -> (run, left, right) -> Json.of(ValueOrder.compare(run, left, right) >= 0);
            default -> null;
        };
    }

    static Json add(Run run, Json left, Json right) {
        if (left instanceof Json.Null) {
            return right;
        }
        return switch (right) {
            case Json.Null _ -> left;
            case Json.Int(var b)
            when left instanceof Json.Int(var a) && Math.abs(a) < 1L << 62 && Math.abs(b) < 1L << 62 -> Json.of(a + b);
            case Json.Int _, Json.Real _
            when Texts.isNumber(left) -> of(ValueOrder.number(left) + ValueOrder.number(right));
            case Json.Str(var b)
            when left instanceof Json.Str(var a) -> {
                run.copy(a.length() + (long) b.length());
                yield Json.of(a + b);
            }
            case Json.Arr b
            when left instanceof Json.Arr a -> {
                run.copy(a.size() + (long) b.size());
                var items = new ArrayList<>(a.items());
                items.addAll(b.items());
                yield new Json.Arr(items);
            }
            case Json.Obj b
            when left instanceof Json.Obj a -> {
                run.copy(a.size() + (long) b.size());
                yield a.toBuilder().putAll(b).build();
            }
            default -> throw cannot("added", left, right);
        };
    }

    static Json negate(Json json) {
        if (!Texts.isNumber(json)) {
            throw Texts.wrong(json, "cannot be negated");
        }
        return json instanceof Json.Int(var whole) && whole != Long.MIN_VALUE
                ? Json.of(-whole)
                : of(-ValueOrder.number(json));
    }

    private static Json subtract(Run run, Json left, Json right) {
        if (left instanceof Json.Arr items && right instanceof Json.Arr unwanted) {
            return new Json.Arr(items.items().stream()
                    .filter(item ->
                            unwanted.items().stream().noneMatch(each -> ValueOrder.compare(run, item, each) == 0))
                    .toList());
        }
        if (left instanceof Json.Int(var a)
                && right instanceof Json.Int(var b)
                && Math.abs(a) < 1L << 62
                && Math.abs(b) < 1L << 62) {
            return Json.of(a - b);
        }
        return of(number("subtracted", left, left, right) - number("subtracted", right, left, right));
    }

    private static Json multiply(Run run, Json left, Json right) {
        if (left instanceof Json.Obj a && right instanceof Json.Obj b) {
            return merge(run, a, b);
        }
        if (left instanceof Json.Str(var text) && Texts.isNumber(right)) {
            return repeat(run, text, ValueOrder.number(right));
        }
        if (right instanceof Json.Str(var text) && Texts.isNumber(left)) {
            return repeat(run, text, ValueOrder.number(left));
        }
        return of(number("multiplied", left, left, right) * number("multiplied", right, left, right));
    }

    private static Json repeat(Run run, String text, double count) {
        if (count <= 0) {
            return Json.Null.NULL;
        }
        double times = Math.max(1, Math.floor(count));
        run.copy((long) Math.min(text.length() * times, Long.MAX_VALUE));
        return Json.of(text.repeat((int) times));
    }

    private static Json merge(Run run, Json.Obj left, Json.Obj right) {
        run.copy(left.size() + (long) right.size());
        var merged = left.toBuilder();
        right.forEach((key, value) -> merged.put(
                key, left.get(key) instanceof Json.Obj a && value instanceof Json.Obj b ? merge(run, a, b) : value));
        return merged.build();
    }

    private static Json divide(Run run, Json left, Json right) {
        if (left instanceof Json.Str(var text) && right instanceof Json.Str(var separator)) {
            return Strings.split(run, text, separator);
        }
        double a = number("divided", left, left, right);
        double b = number("divided", right, left, right);
        if (b == 0) {
            throw cannot("divided because the divisor is zero", left, right);
        }
        return of(a / b);
    }

    private static Json remainder(Run run, Json left, Json right) {
        long a = (long) number("divided", left, left, right);
        long b = (long) number("divided", right, left, right);
        if (b == 0) {
            throw cannot("divided because the divisor is zero", left, right);
        }
        return Json.of(a % b);
    }

    private static double number(String what, Json json, Json left, Json right) {
        if (!Texts.isNumber(json)) {
            throw cannot(what, left, right);
        }
        return ValueOrder.number(json);
    }

    private static JqError cannot(String what, Json left, Json right) {
        return new JqError(Texts.type(left) + " (" + Texts.shortened(left) + ") and " + Texts.type(right) + " ("
                + Texts.shortened(right) + ") cannot be " + what);
    }
}

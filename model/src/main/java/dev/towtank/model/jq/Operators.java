package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;

/// Arithmetic on values of all types.
final class Operators {

    private Operators() {}

    static Json of(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new JqError("the result is no number");
        }
        return number == Math.rint(number) && Math.abs(number) < 1e15 ? Json.of((long) number) : new Json.Real(number);
    }

    static Json add(Run run, Json left, Json right) {
        if (left instanceof Json.Null) {
            return right;
        }
        return switch (right) {
            case Json.Null _ -> left;
            case Json.Int(var b)
            when left instanceof Json.Int(var a) && Math.abs(a) < 1L << 52 && Math.abs(b) < 1L << 52 -> Json.of(a + b);
            case Json.Int _, Json.Real _ when isNumber(left) -> of(Order.number(left) + Order.number(right));
            case Json.Str(var b)
            when left instanceof Json.Str(var a) -> {
                run.steps(a.length() + b.length());
                yield Json.of(a + b);
            }
            case Json.Arr b
            when left instanceof Json.Arr a -> {
                run.steps(a.size() + b.size());
                var items = new ArrayList<>(a.items());
                items.addAll(b.items());
                yield new Json.Arr(items);
            }
            case Json.Obj b
            when left instanceof Json.Obj a -> {
                run.steps(a.size() + b.size());
                yield a.toBuilder().putAll(b).build();
            }
            default -> throw cannot("added", left, right);
        };
    }

    static Json subtract(Run run, Json left, Json right) {
        if (left instanceof Json.Arr items && right instanceof Json.Arr unwanted) {
            run.steps((long) items.size() * unwanted.size());
            return new Json.Arr(items.items().stream()
                    .filter(item -> !unwanted.items().contains(item))
                    .toList());
        }
        if (!isNumber(left) || !isNumber(right)) {
            throw cannot("subtracted", left, right);
        }
        return of(Order.number(left) - Order.number(right));
    }

    static Json compute(char operator, Json left, Json right) {
        if (!isNumber(left) || !isNumber(right)) {
            throw cannot(operator == '*' ? "multiplied" : "divided", left, right);
        }
        double a = Order.number(left);
        double b = Order.number(right);
        if (operator != '*' && b == 0) {
            throw cannot("divided because the divisor is zero", left, right);
        }
        return of(operator == '*' ? a * b : operator == '/' ? a / b : (double) ((long) a % (long) b));
    }

    private static boolean isNumber(Json json) {
        return json instanceof Json.Int || json instanceof Json.Real;
    }

    private static JqError cannot(String what, Json left, Json right) {
        return new JqError(Texts.type(left) + " (" + Texts.shortened(left) + ") and " + Texts.type(right) + " ("
                + Texts.shortened(right) + ") cannot be " + what);
    }
}

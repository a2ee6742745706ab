package dev.towtank.model.lua;

import static dev.towtank.model.lua.LuaArguments.one;

import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/// Numbers. What is random begins with the time that the run was given, so that the same run gives the same numbers.
final class MathLibrary {

    private MathLibrary() {}

    static LuaTable table(Run run) {
        var library = new Library(new LuaTable(run));
        library.table().set("pi", Math.PI);
        library.table().set("huge", Double.POSITIVE_INFINITY);
        functions(library);
        library.with("max", a -> fold(a, Math::max))
                .with("min", a -> fold(a, Math::min))
                .with("modf", MathLibrary::split)
                .with("frexp", MathLibrary::mantissa);
        var random = new Random(run.now.toEpochMilli());
        return library.with("random", a -> random(a, random))
                .with("randomseed", a -> {
                    random.setSeed((long) a.number(1));
                    return LuaFunction.NONE;
                })
                .table();
    }

    private static void functions(Library library) {
        unary(library, "abs", Math::abs);
        unary(library, "acos", Math::acos);
        unary(library, "asin", Math::asin);
        unary(library, "atan", Math::atan);
        unary(library, "ceil", Math::ceil);
        unary(library, "cos", Math::cos);
        unary(library, "cosh", Math::cosh);
        unary(library, "deg", Math::toDegrees);
        unary(library, "exp", Math::exp);
        unary(library, "floor", Math::floor);
        unary(library, "log", Math::log);
        unary(library, "log10", Math::log10);
        unary(library, "rad", Math::toRadians);
        unary(library, "sin", Math::sin);
        unary(library, "sinh", Math::sinh);
        unary(library, "sqrt", Math::sqrt);
        unary(library, "tan", Math::tan);
        unary(library, "tanh", Math::tanh);
        binary(library, "atan2", Math::atan2);
        binary(library, "fmod", (left, right) -> left % right);
        binary(library, "ldexp", (value, exponent) -> value * Math.pow(2, exponent));
        binary(library, "mod", Arithmetic.MODULO::of);
        binary(library, "pow", Math::pow);
    }

    private static void unary(Library library, String name, DoubleUnaryOperator operator) {
        library.with(name, a -> one(operator.applyAsDouble(a.number(1))));
    }

    private static void binary(Library library, String name, DoubleBinaryOperator operator) {
        library.with(name, a -> one(operator.applyAsDouble(a.number(1), a.number(2))));
    }

    private static Object[] fold(LuaArguments a, DoubleBinaryOperator operator) {
        double result = a.number(1);
        for (int i = 2; i <= a.count(); i++) {
            result = operator.applyAsDouble(result, a.number(i));
        }
        return one(result);
    }

    private static Object[] split(LuaArguments a) {
        double number = a.number(1);
        double whole = number < 0 ? Math.ceil(number) : Math.floor(number);
        return new Object[] {whole, Double.isInfinite(number) ? 0.0 : number - whole};
    }

    private static Object[] mantissa(LuaArguments a) {
        double number = a.number(1);
        if (number == 0 || Double.isNaN(number) || Double.isInfinite(number)) {
            return new Object[] {number, 0.0};
        }
        int exponent = Math.getExponent(number) + 1;
        return new Object[] {number / Math.pow(2, exponent), (double) exponent};
    }

    private static Object[] random(LuaArguments a, Random random) {
        if (a.count() == 0) {
            return one(random.nextDouble());
        }
        double low = a.count() == 1 ? 1 : Math.floor(a.number(1));
        double high = Math.floor(a.number(a.count() == 1 ? 1 : 2));
        if (low > high) {
            throw a.wrong(a.count() == 1 ? 1 : 2, "interval is empty");
        }
        return one(low + Math.floor(random.nextDouble() * (high - low + 1)));
    }
}

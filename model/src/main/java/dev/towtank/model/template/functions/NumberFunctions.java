package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.FLOAT64;
import static dev.towtank.model.template.GoType.INT;
import static dev.towtank.model.template.GoType.STRING;
import static dev.towtank.model.template.SizedInteger.int64;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.TypedList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/// Sprig's arithmetic: int64 where it does not say otherwise.
final class NumberFunctions {
    private static final int DIVISION_DIGITS = 16;

    static final Functions ALL = Functions.builder()
            .add("atoi", call -> atoi(call.string(0)), STRING)
            .add("int", call -> Conversions.integer(call.any(0)), ANY)
            .add("int64", call -> int64(Conversions.integer(call.any(0))), ANY)
            .add("float64", call -> Conversions.real(call.any(0)), ANY)
            .add("toDecimal", call -> int64(octal(Print.value(call.any(0)))), ANY)
            .add("add1", call -> int64(Conversions.integer(call.any(0)) + 1), ANY)
            .addVariadic("add", call -> int64(sum(call)), ANY)
            .add("sub", call -> int64(number(call, 0) - number(call, 1)), ANY, ANY)
            .add("div", call -> int64(number(call, 0) / divisor(call)), ANY, ANY)
            .add("mod", call -> int64(number(call, 0) % divisor(call)), ANY, ANY)
            .addVariadic("mul", call -> int64(product(call)), ANY, ANY)
            .add("add1f", call -> decimal(call, 0, BigDecimal.ONE, BigDecimal::add), ANY)
            .addVariadic("addf", call -> decimal(call, 0, BigDecimal.ZERO, BigDecimal::add), ANY)
            .addVariadic("subf", call -> decimal(call, 1, decimal(call, 0), BigDecimal::subtract), ANY, ANY)
            .addVariadic("mulf", call -> decimal(call, 1, decimal(call, 0), BigDecimal::multiply), ANY, ANY)
            .addVariadic("divf", call -> decimal(call, 1, decimal(call, 0), NumberFunctions::divide), ANY, ANY)
            .addVariadic(
                    "max",
                    call -> int64(call.from(0).stream()
                            .mapToLong(Conversions::integer)
                            .max()
                            .orElse(0)),
                    ANY,
                    ANY)
            .addVariadic(
                    "biggest",
                    call -> int64(call.from(0).stream()
                            .mapToLong(Conversions::integer)
                            .max()
                            .orElse(0)),
                    ANY,
                    ANY)
            .addVariadic(
                    "min",
                    call -> int64(call.from(0).stream()
                            .mapToLong(Conversions::integer)
                            .min()
                            .orElse(0)),
                    ANY,
                    ANY)
            .addVariadic(
                    "maxf",
                    call -> call.from(0).stream()
                            .mapToDouble(Conversions::real)
                            .max()
                            .orElse(0),
                    ANY,
                    ANY)
            .addVariadic(
                    "minf",
                    call -> call.from(0).stream()
                            .mapToDouble(Conversions::real)
                            .min()
                            .orElse(0),
                    ANY,
                    ANY)
            .add("floor", call -> Math.floor(Conversions.real(call.any(0))), ANY)
            .add("ceil", call -> Math.ceil(Conversions.real(call.any(0))), ANY)
            .addVariadic("round", NumberFunctions::round, ANY, INT, FLOAT64)
            .add(
                    "until",
                    call -> numbers(steps(
                            0,
                            call.integer(0),
                            call.integer(0) < 0 ? -1 : 1,
                            call.render().meter())),
                    INT)
            .add(
                    "untilStep",
                    call -> numbers(steps(
                            call.integer(0),
                            call.integer(1),
                            call.integer(2),
                            call.render().meter())),
                    INT,
                    INT,
                    INT)
            .addVariadic("seq", NumberFunctions::sequence, INT)
            .build();

    private NumberFunctions() {}

    private static long atoi(String text) {
        return text.matches("[-+]?[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static long octal(String text) {
        return text.matches("[-+]?[0-7]{1,20}") ? Long.parseLong(text, 8) : 0;
    }

    private static long number(Arguments call, int index) {
        return Conversions.integer(call.any(index));
    }

    private static long divisor(Arguments call) {
        long divisor = number(call, 1);
        if (divisor == 0) {
            throw new FunctionError("runtime error: integer divide by zero");
        }
        return divisor;
    }

    private static long sum(Arguments call) {
        return call.from(0).stream().mapToLong(Conversions::integer).sum();
    }

    private static long product(Arguments call) {
        return call.from(0).stream().mapToLong(Conversions::integer).reduce(1, (a, b) -> a * b);
    }

    private static BigDecimal decimal(Arguments call, int index) {
        return new BigDecimal(Double.toString(Conversions.real(call.any(index))));
    }

    private static double decimal(Arguments call, int from, BigDecimal start, BinaryOperator<BigDecimal> operation) {
        var result = start;
        for (int i = from; i < call.size(); i++) {
            result = operation.apply(result, decimal(call, i));
        }
        return result.doubleValue();
    }

    private static BigDecimal divide(BigDecimal dividend, BigDecimal divisor) {
        if (divisor.signum() == 0) {
            throw new FunctionError("decimal division by 0");
        }
        return dividend.divide(divisor, DIVISION_DIGITS, RoundingMode.HALF_UP);
    }

    private static Object round(Arguments call) {
        double roundsUpAt = call.size() > 2 ? call.real(2) : 0.5;
        double power = Math.pow(10, (double) call.integer(1));
        double digits = power * Conversions.real(call.any(0));
        double fraction = digits - (digits < 0 ? Math.ceil(digits) : Math.floor(digits));
        return (fraction >= roundsUpAt ? Math.ceil(digits) : Math.floor(digits)) / power;
    }

    private static List<Long> steps(long start, long stop, long step, Meter meter) {
        var numbers = new ArrayList<Long>();
        if (step == 0 || (stop < start) != (step < 0)) {
            return numbers;
        }
        long count = Math.abs((stop - start) / step) + 1;
        meter.claim(Math.multiplyExact(Math.min(count, Integer.MAX_VALUE), 16L));
        for (long i = start; step > 0 ? i < stop : i > stop; i += step) {
            numbers.add(i);
        }
        return numbers;
    }

    private static TypedList numbers(List<Long> numbers) {
        return new TypedList("int", numbers);
    }

    private static Object sequence(Arguments call) {
        if (call.size() == 0 || call.size() > 3) {
            return "";
        }
        long start = call.size() == 1 ? 1 : call.integer(0);
        long end = call.integer(call.size() - 1);
        long direction = end < start ? -1 : 1;
        long step = call.size() == 3 ? call.integer(1) : direction;
        if (end < start && step > 0) {
            return "";
        }
        return steps(start, end + direction, step, call.render().meter()).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }
}

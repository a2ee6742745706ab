package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.BOOL;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.Values;
import org.jspecify.annotations.Nullable;

/// Sprig's functions that choose between values, and ask what they are.
final class DefaultFunctions {
    static final Functions ALL = Functions.builder()
            .addVariadic("default", DefaultFunctions::fallback, ANY, ANY)
            .add("empty", call -> Conversions.isEmpty(call.any(0)), ANY)
            .addVariadic("coalesce", DefaultFunctions::coalesce, ANY)
            .addVariadic("all", call -> call.from(0).stream().noneMatch(Conversions::isEmpty), ANY)
            .addVariadic("any", call -> !call.from(0).stream().allMatch(Conversions::isEmpty), ANY)
            .add("ternary", call -> call.bool(2) ? call.any(0) : call.any(1), ANY, ANY, BOOL)
            .add("fail", DefaultFunctions::fail, STRING)
            .add("typeOf", call -> Values.type(call.any(0)), ANY)
            .add("typeIs", call -> Values.type(call.any(1)).equals(call.string(0)), STRING, ANY)
            .add(
                    "typeIsLike",
                    call -> Values.type(call.any(1)).equals(call.string(0))
                            || Values.type(call.any(1)).equals("*" + call.string(0)),
                    STRING,
                    ANY)
            .add("kindOf", call -> Values.kind(call.any(0)), ANY)
            .add("kindIs", call -> Values.kind(call.any(1)).equals(call.string(0)), STRING, ANY)
            .build();

    private DefaultFunctions() {}

    private static @Nullable Object fallback(Arguments call) {
        return call.size() < 2 || Conversions.isEmpty(call.any(1)) ? call.any(0) : call.any(1);
    }

    private static @Nullable Object coalesce(Arguments call) {
        for (var each : call.from(0)) {
            if (!Conversions.isEmpty(each)) {
                return each;
            }
        }
        return null;
    }

    private static Object fail(Arguments call) {
        throw new FunctionError(call.string(0));
    }
}

package dev.towtank.model.jq;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Functions of the input alone.
final class Unary {

    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    private static final Map<String, Filter.Computation> OF_ALL = Map.ofEntries(
            Map.entry("not", (_, json) -> Json.of(!Texts.isTrue(json))),
            Map.entry("type", (_, json) -> Json.of(Texts.type(json))),
            Map.entry("length", Unary::length),
            Map.entry("utf8bytelength", (run, json) -> Strings.bytes(run, json)),
            Map.entry("keys", (run, json) -> MemberFunctions.keys(run, json, true)),
            Map.entry("keys_unsorted", (run, json) -> MemberFunctions.keys(run, json, false)),
            Map.entry("to_entries", MemberFunctions::entries),
            Map.entry("from_entries", MemberFunctions::fromEntries),
            Map.entry("add", Lists::sum),
            Map.entry("reverse", Lists::reverse),
            Map.entry("tostring", (run, json) -> Json.of(Texts.display(run, json))),
            Map.entry("tojson", (run, json) -> Json.of(JsonText.write(run.whole(json)))),
            Map.entry("fromjson", Unary::fromJson),
            Map.entry("tonumber", Unary::toNumber),
            Map.entry("ascii_downcase", (run, json) -> Strings.mapped(run, json, 'A', 'Z', 'a' - 'A')),
            Map.entry("ascii_upcase", (run, json) -> Strings.mapped(run, json, 'a', 'z', 'A' - 'a')),
            Map.entry("trim", (run, json) -> Strings.stripped(run, json, true, true)),
            Map.entry("ltrim", (run, json) -> Strings.stripped(run, json, true, false)),
            Map.entry("rtrim", (run, json) -> Strings.stripped(run, json, false, true)),
            Map.entry("explode", Strings::explode),
            Map.entry("implode", Strings::implode),
            Map.entry("abs", (_, json) -> ValueOrder.number(json) < 0 ? Operators.negate(json) : json),
            Map.entry("infinite", (_, _) -> new Json.Real(Double.MAX_VALUE)),
            Map.entry("isinfinite", (_, json) -> Json.of(Math.abs(ValueOrder.number(json)) == Double.MAX_VALUE)),
            Map.entry("isnan", (_, json) -> Json.of(Double.isNaN(ValueOrder.number(json)))),
            Map.entry("isnormal", (_, json) -> Json.of(isNormal(ValueOrder.number(json)))),
            Map.entry("gmtime", (_, json) -> CalendarTimes.parts(ValueOrder.number(json))),
            Map.entry("mktime", (_, json) -> CalendarTimes.seconds(json)));

    private static final Map<String, DoubleUnaryOperator> OF_NUMBERS = Map.ofEntries(
            Map.entry("floor", Math::floor),
            Map.entry("ceil", Math::ceil),
            Map.entry("round", number -> Math.copySign(Math.floor(Math.abs(number) + 0.5), number)),
            Map.entry("trunc", number -> number < 0 ? Math.ceil(number) : Math.floor(number)),
            Map.entry("rint", Math::rint),
            Map.entry("nearbyint", Math::rint),
            Map.entry("fabs", Math::abs),
            Map.entry("sqrt", Math::sqrt),
            Map.entry("cbrt", Math::cbrt),
            Map.entry("exp", Math::exp),
            Map.entry("exp2", number -> Math.pow(2, number)),
            Map.entry("exp10", number -> Math.pow(10, number)),
            Map.entry("log", Math::log),
            Map.entry("log2", number -> Math.log(number) / Math.log(2)),
            Map.entry("log10", Math::log10),
            Map.entry("sin", Math::sin),
            Map.entry("cos", Math::cos),
            Map.entry("tan", Math::tan),
            Map.entry("asin", Math::asin),
            Map.entry("acos", Math::acos),
            Map.entry("atan", Math::atan),
            Map.entry("sinh", Math::sinh),
            Map.entry("cosh", Math::cosh),
            Map.entry("tanh", Math::tanh));

    private Unary() {}

    static Filter.@Nullable Computation named(String name) {
        var function = OF_NUMBERS.get(name);
        return function == null
                ? OF_ALL.get(name)
                : (_, json) -> {
                    if (!Texts.isNumber(json)) {
                        throw Texts.wrong(json, "number required");
                    }
                    return Operators.of(function.applyAsDouble(ValueOrder.number(json)));
                };
    }

    private static boolean isNormal(double number) {
        return Math.abs(number) >= Double.MIN_NORMAL && Math.abs(number) < Double.MAX_VALUE;
    }

    private static Json length(Run run, Json json) {
        return switch (json) {
            case Json.Null _ -> Json.of(0);
            case Json.Str(var text) -> Json.of(text.codePointCount(0, text.length()));
            case Json.Arr items -> Json.of(items.size());
            case Json.Obj object -> Json.of(object.size());
            case Json.Int _, Json.Real _ -> ValueOrder.number(json) < 0 ? Operators.negate(json) : json;
            case Json.Bool _ -> throw Texts.wrong(json, "has no length");
        };
    }

    private static Json fromJson(Run run, Json json) {
        run.copy(Texts.text(json).length());
        try {
            return run.whole(JsonText.parse(Texts.text(json)));
        } catch (JsonText.Malformed e) {
            throw new JqError("fromjson: " + e.getMessage());
        }
    }

    private static Json toNumber(Run run, Json json) {
        if (Texts.isNumber(json)) {
            return json;
        }
        if (!(json instanceof Json.Str(var text))) {
            throw Texts.wrong(json, "cannot be parsed as a number");
        }
        run.copy(text.length());
        if (!NUMBER.matcher(text).matches()) {
            throw Texts.wrong(json, "cannot be parsed as a number");
        }
        return WHOLE.matcher(text).matches() ? Json.of(Long.parseLong(text)) : Operators.of(Double.parseDouble(text));
    }
}

package dev.towtank.model.jq;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The functions that an expression may call.
final class Functions {

    private Functions() {}

    static Filter of(String name, List<Filter> arguments) {
        return switch (name + "/" + arguments.size()) {
            case "empty/0" -> (_, _, _) -> {};
            case "not/0" -> Filter.computed((_, json) -> Json.of(!Texts.isTrue(json)));
            case "error/0" ->
                Filter.computed((_, json) -> {
                    throw new JqError(json.display());
                });
            case "select/1" -> select(arguments.getFirst());
            case "recurse/0" -> Paths::everything;
            case "map/1" -> collect(((Filter) Paths::each).then(arguments.getFirst()));
            case "map_values/1" -> update(Paths::each, arguments.getFirst());
            case "del/1" ->
                Filter.computed((run, json) -> Paths.delete(run, json, Paths.places(run, arguments.getFirst(), json)));
            case "path/1" ->
                (run, input, output) -> Paths.places(run, arguments.getFirst(), input.json())
                        .forEach(place -> output.accept(Value.computed(new Json.Arr(place))));
            case "to_entries/0" -> Filter.computed(Functions::entries);
            case "from_entries/0" -> Filter.computed(Functions::fromEntries);
            case "with_entries/1" ->
                Filter.computed(Functions::entries)
                        .then(collect(((Filter) Paths::each).then(arguments.getFirst())))
                        .then(Filter.computed(Functions::fromEntries));
            case "first/0" -> Paths.member(Filter.constant(Json.of(0)));
            case "last/0" -> Paths.member(Filter.constant(Json.of(-1)));
            case "any/0" -> Filter.computed((run, json) -> anyOf(run, Paths::each, json));
            case "all/0" -> Filter.computed((run, json) -> allOf(run, Paths::each, json));
            case "any/1" ->
                Filter.computed((run, json) -> anyOf(run, ((Filter) Paths::each).then(arguments.getFirst()), json));
            case "all/1" ->
                Filter.computed((run, json) -> allOf(run, ((Filter) Paths::each).then(arguments.getFirst()), json));
            case "test/1",
                    "has/1",
                    "contains/1",
                    "startswith/1",
                    "endswith/1",
                    "ltrimstr/1",
                    "rtrimstr/1",
                    "split/1",
                    "join/1" -> withArgument(name, arguments.getFirst());
            case "sort_by/1" -> Filter.computed((run, json) -> sortBy(run, arguments.getFirst(), json));
            default -> plain(name, arguments.size());
        };
    }

    private static final Set<String> KINDS = Set.of("arrays", "objects", "strings", "numbers", "booleans", "nulls");

    private static Filter plain(String name, int arguments) {
        if (arguments == 0 && KINDS.contains(name)) {
            var kind = name.substring(0, name.length() - 1);
            return select(Filter.computed((_, json) -> Json.of(Texts.type(json).equals(kind))));
        }
        Filter.@Nullable Computation computation = arguments > 0
                ? null
                : switch (name) {
                    case "type" -> (_, json) -> Json.of(Texts.type(json));
                    case "length" -> (_, json) -> Json.of(length(json));
                    case "keys" -> (_, json) -> keys(json);
                    case "add" -> (run, json) -> fold(run, json);
                    case "tostring" -> (_, json) -> Json.of(json.display());
                    case "tojson" -> (_, json) -> Json.of(JsonText.write(json));
                    case "fromjson" -> (run, json) -> fromJson(run, json);
                    case "tonumber" -> (_, json) -> toNumber(json);
                    case "ascii_downcase" -> (_, json) -> Json.of(text(json).toLowerCase(Locale.ROOT));
                    case "ascii_upcase" -> (_, json) -> Json.of(text(json).toUpperCase(Locale.ROOT));
                    case "sort" -> (run, json) -> sortBy(run, (_, input, output) -> output.accept(input), json);
                    case "unique" ->
                        (run, json) ->
                                new Json.Arr(((Json.Arr) sortBy(run, (_, input, output) -> output.accept(input), json))
                                        .items().stream().distinct().toList());
                    case "reverse" -> (run, json) -> new Json.Arr(array(json).reversed());
                    default -> null;
                };
        if (computation == null) {
            throw new JqError("function not defined or not supported: " + name + "/" + arguments);
        }
        return Filter.computed(computation);
    }

    private static Filter withArgument(String name, Filter argument) {
        return Filter.operator(
                (_, input, output) -> output.accept(input), argument, (run, json, given) -> switch (name) {
                    case "test" -> Json.of(matches(run, text(json), text(given)));
                    case "has" ->
                        Json.of(
                                json instanceof Json.Obj object
                                        ? object.has(text(given))
                                        : Order.number(given) < array(json).size() && Order.number(given) >= 0);
                    case "contains" -> Json.of(contains(run, json, given));
                    case "startswith" -> Json.of(text(json).startsWith(text(given)));
                    case "endswith" -> Json.of(text(json).endsWith(text(given)));
                    case "ltrimstr" ->
                        json instanceof Json.Str(var a) && given instanceof Json.Str(var b) && a.startsWith(b)
                                ? Json.of(a.substring(b.length()))
                                : json;
                    case "rtrimstr" ->
                        json instanceof Json.Str(var a) && given instanceof Json.Str(var b) && a.endsWith(b)
                                ? Json.of(a.substring(0, a.length() - b.length()))
                                : json;
                    case "split" -> split(run, text(json), text(given));
                    case "join" -> {
                        var joined = String.join(
                                text(given),
                                array(json).stream()
                                        .map(item -> item instanceof Json.Null ? "" : item.display())
                                        .toList());
                        run.steps(joined.length());
                        yield Json.of(joined);
                    }
                    default -> throw new IllegalStateException(name);
                });
    }

    static Filter select(Filter condition) {
        return (run, input, output) -> condition.apply(run, input, value -> {
            run.step();
            if (Texts.isTrue(value.json())) {
                output.accept(input);
            }
        });
    }

    static Filter collect(Filter filter) {
        return Filter.computed((run, json) -> new Json.Arr(filter.all(run, Value.root(json))));
    }

    /// `places |= change`: what gives nothing is taken away.
    static Filter update(Filter places, Filter change) {
        return Filter.computed((run, json) -> {
            var result = json;
            var gone = new ArrayList<List<Json>>();
            for (var place : Paths.places(run, places, json)) {
                result = Paths.update(result, place, old -> {
                    var changed = change.all(run, Value.root(old));
                    if (changed.isEmpty()) {
                        gone.add(place);
                        return old;
                    }
                    return changed.getFirst();
                });
            }
            return Paths.delete(run, result, gone);
        });
    }

    private static Json anyOf(Run run, Filter filter, Json json) {
        return Json.of(filter.all(run, Value.root(json)).stream().anyMatch(Texts::isTrue));
    }

    private static Json allOf(Run run, Filter filter, Json json) {
        return Json.of(filter.all(run, Value.root(json)).stream().allMatch(Texts::isTrue));
    }

    private static Json entries(Run run, Json json) {
        if (!(json instanceof Json.Obj object)) {
            throw new JqError(Texts.type(json) + " has no keys");
        }
        run.steps(object.size());
        var entries = new ArrayList<Json>();
        object.forEach((key, value) -> entries.add(Json.Obj.of("key", Json.of(key), "value", value)));
        return new Json.Arr(entries);
    }

    private static Json fromEntries(Run run, Json json) {
        var fields = Json.Obj.builder();
        for (var entry : array(json)) {
            run.step();
            var object = entry instanceof Json.Obj each ? each : Json.Obj.EMPTY;
            var key = object.has("key") ? object.get("key") : object.has("name") ? object.get("name") : object.get("k");
            fields.put(
                    Paths.orNull(key).display(),
                    Paths.orNull(object.has("value") ? object.get("value") : object.get("v")));
        }
        return fields.build();
    }

    private static long length(Json json) {
        return switch (json) {
            case Json.Null _ -> 0;
            case Json.Str(var text) -> text.codePointCount(0, text.length());
            case Json.Arr items -> items.size();
            case Json.Obj object -> object.size();
            case Json.Int(var value) -> Math.abs(value);
            case Json.Bool _, Json.Real _ -> throw new JqError(Texts.type(json) + " has no length");
        };
    }

    private static Json keys(Json json) {
        if (json instanceof Json.Obj object) {
            return Json.Arr.ofStrings(object.keys().stream().sorted().toList());
        }
        var places = new ArrayList<Json>();
        for (int i = 0; i < array(json).size(); i++) {
            places.add(Json.of(i));
        }
        return new Json.Arr(places);
    }

    private static Json fold(Run run, Json json) {
        Json sum = Json.Null.NULL;
        for (var item : json instanceof Json.Obj object
                ? object.keys().stream()
                        .map(key -> Paths.orNull(object.get(key)))
                        .toList()
                : array(json)) {
            sum = Operators.add(run, sum, item);
        }
        return sum;
    }

    private static Json fromJson(Run run, Json json) {
        run.steps(text(json).length());
        try {
            return JsonText.parse(text(json));
        } catch (JsonText.Malformed e) {
            throw new JqError("fromjson: " + e.getMessage());
        }
    }

    private static Json toNumber(Json json) {
        if (!(json instanceof Json.Str(var text))) {
            Order.number(json);
            return json;
        }
        try {
            return Operators.of(Double.parseDouble(text));
        } catch (NumberFormatException _) {
            throw new JqError("Cannot be parsed as a number: " + Texts.shortened(json));
        }
    }

    private static Json sortBy(Run run, Filter key, Json json) {
        var items = array(json);
        run.steps(items.size() * 16L);
        return new Json.Arr(items.stream()
                .sorted(Comparator.comparing(
                        (Json item) -> new Json.Arr(key.all(run, Value.root(item))), Order::compare))
                .toList());
    }

    private static boolean matches(Run run, String text, String expression) {
        run.steps(text.length() + (long) expression.length());
        try {
            return Pattern.compile(expression).matcher(text).find();
        } catch (PatternSyntaxException e) {
            throw new JqError("invalid regular expression " + expression + ": " + e.getMessage());
        }
    }

    private static Json split(Run run, String text, String separator) {
        run.steps(text.length());
        return Json.Arr.ofStrings(
                text.isEmpty() ? List.of() : List.of(text.split(java.util.regex.Pattern.quote(separator), -1)));
    }

    private static boolean contains(Run run, Json whole, Json part) {
        run.step();
        if (!Texts.type(whole).equals(Texts.type(part))) {
            throw new JqError(
                    Texts.type(whole) + " and " + Texts.type(part) + " cannot have their containment checked");
        }
        return switch (whole) {
            case Json.Str(var text) -> text.contains(text(part));
            case Json.Arr items ->
                array(part).stream()
                        .allMatch(wanted -> items.items().stream()
                                .anyMatch(item ->
                                        Texts.type(item).equals(Texts.type(wanted)) && contains(run, item, wanted)));
            case Json.Obj object ->
                ((Json.Obj) part).keys().stream().allMatch(key -> {
                    var inner = object.get(key);
                    var wanted = Paths.orNull(((Json.Obj) part).get(key));
                    return inner != null
                            && Texts.type(inner).equals(Texts.type(wanted))
                            && contains(run, inner, wanted);
                });
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> whole.equals(part);
        };
    }

    private static String text(Json json) {
        if (json instanceof Json.Str(var text)) {
            return text;
        }
        throw new JqError(Texts.type(json) + " (" + Texts.shortened(json) + ") is not a string");
    }

    private static List<Json> array(Json json) {
        if (json instanceof Json.Arr(var items)) {
            return items;
        }
        throw new JqError(Texts.type(json) + " (" + Texts.shortened(json) + ") is not an array");
    }
}

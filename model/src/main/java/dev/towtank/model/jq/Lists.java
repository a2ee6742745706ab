package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Functions on arrays.
final class Lists {

    enum Grouping {
        SORTED,
        GROUPED,
        UNIQUE
    }

    private record Keyed(Json key, Json item) {}

    private Lists() {}

    static Filter collect(Filter filter) {
        return (run, env, input, output) -> {
            run.step();
            output.accept(Value.computed(new Json.Arr(filter.all(run, env, input.json()))));
        };
    }

    static Filter sorted(Filter key, Grouping grouping) {
        return (run, env, input, output) -> {
            var items = keyed(run, env, key, input.json());
            items.sort(order(run));
            output.accept(Value.computed(
                    grouping == Grouping.SORTED
                            ? new Json.Arr(items.stream().map(Keyed::item).toList())
                            : grouped(run, items, grouping)));
        };
    }

    private static List<Keyed> keyed(Run run, Env env, Filter key, Json json) {
        var items = new ArrayList<Keyed>();
        for (var item : Texts.array(json)) {
            items.add(new Keyed(new Json.Arr(key.all(run, env, item)), item));
        }
        return items;
    }

    private static Comparator<Keyed> order(Run run) {
        return (a, b) -> ValueOrder.compare(run, a.key(), b.key());
    }

    private static Json grouped(Run run, List<Keyed> sorted, Grouping grouping) {
        var groups = new ArrayList<List<Json>>();
        for (int i = 0; i < sorted.size(); i++) {
            if (i == 0 || order(run).compare(sorted.get(i - 1), sorted.get(i)) != 0) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(sorted.get(i).item());
        }
        return new Json.Arr(groups.stream()
                .map(group -> grouping == Grouping.UNIQUE ? group.getFirst() : new Json.Arr(group))
                .toList());
    }

    /// The first of the smallest, or the last of the largest.
    static Filter extreme(Filter key, Filter largest) {
        return (run, env, input, output) -> largest.apply(run, env, input, which -> {
            Keyed best = null;
            for (var item : keyed(run, env, key, input.json())) {
                int order = best == null ? 0 : order(run).compare(item, best);
                if (best == null || (Texts.isTrue(which.json()) ? order >= 0 : order < 0)) {
                    best = item;
                }
            }
            output.accept(Value.computed(best == null ? Json.Null.NULL : best.item()));
        });
    }

    static Json sum(Run run, Json json) {
        var items = json instanceof Json.Obj object
                ? object.keys().stream()
                        .map(key -> Paths.orNull(object.get(key)))
                        .toList()
                : Texts.array(json);
        if (!items.isEmpty() && items.stream().allMatch(Json.Str.class::isInstance)) {
            return Strings.join(run, new Json.Arr(items), Json.of(""));
        }
        Json sum = Json.Null.NULL;
        for (var item : items) {
            sum = Operators.add(run, sum, item);
        }
        return sum;
    }

    static Json reverse(Run run, Json json) {
        if (json instanceof Json.Str(var text)) {
            run.copy(text.length());
            return Json.of(new StringBuilder(text).reverse().toString());
        }
        if (json instanceof Json.Null) {
            return Json.Arr.EMPTY;
        }
        run.copy(Texts.array(json).size());
        return new Json.Arr(Texts.array(json).reversed());
    }

    static Json flatten(Run run, Json json, Json depth) {
        double levels = ValueOrder.number(depth);
        if (levels < 0) {
            throw new JqError("flatten depth must not be negative");
        }
        run.whole(json);
        var flat = new ArrayList<Json>();
        flatten(json, levels, flat);
        return new Json.Arr(flat);
    }

    private static void flatten(Json json, double levels, List<Json> flat) {
        for (var item : Texts.array(json)) {
            if (item instanceof Json.Arr inner && levels >= 1) {
                flatten(inner, levels - 1, flat);
            } else {
                flat.add(item);
            }
        }
    }

    /// Where a part begins: an item, a row of items, or a piece of text.
    static Json indices(Run run, Json json, Json part) {
        if (json instanceof Json.Null) {
            return json;
        }
        var found = new ArrayList<Json>();
        if (json instanceof Json.Str(var text) && part instanceof Json.Str(var piece)) {
            run.copy(text.length());
            for (int at = piece.isEmpty() ? -1 : text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
                run.step();
                found.add(Json.of(text.codePointCount(0, at)));
            }
            return found.isEmpty() && piece.isEmpty() ? Json.Null.NULL : new Json.Arr(found);
        }
        var items = Texts.array(json);
        var row = part instanceof Json.Arr(var several) ? several : List.of(part);
        for (int at = 0; !row.isEmpty() && at + row.size() <= items.size(); at++) {
            if (ValueOrder.compareAll(run, items.subList(at, at + row.size()), row) == 0) {
                found.add(Json.of(at));
            }
        }
        return row.isEmpty() ? Json.Null.NULL : new Json.Arr(found);
    }

    /// The place in a sorted array, or where it would have to stand, as -1 - place.
    static Json search(Run run, Json json, Json wanted) {
        var items = Texts.array(json);
        int low = 0;
        int high = items.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = ValueOrder.compare(run, items.get(middle), wanted);
            if (order == 0) {
                return Json.of(middle);
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return Json.of(-1L - low);
    }

    static Json contains(Run run, Json whole, Json part) {
        return Json.of(holds(run, whole, part));
    }

    private static boolean holds(Run run, Json whole, Json part) {
        run.step();
        if (!Texts.type(whole).equals(Texts.type(part))) {
            throw new JqError(Texts.type(whole) + " (" + Texts.shortened(whole) + ") and " + Texts.type(part) + " ("
                    + Texts.shortened(part) + ") cannot have their containment checked");
        }
        return switch (whole) {
            case Json.Str(var text) -> text.contains(Texts.text(part));
            case Json.Arr items ->
                Texts.array(part).stream()
                        .allMatch(wanted -> items.items().stream()
                                .anyMatch(item ->
                                        Texts.type(item).equals(Texts.type(wanted)) && holds(run, item, wanted)));
            case Json.Obj object ->
                ((Json.Obj) part).keys().stream().allMatch(key -> {
                    var inner = object.get(key);
                    var wanted = Paths.orNull(((Json.Obj) part).get(key));
                    return inner != null && Texts.type(inner).equals(Texts.type(wanted)) && holds(run, inner, wanted);
                });
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> ValueOrder.compare(run, whole, part) == 0;
        };
    }
}

package dev.towtank.model.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/// `isSorted`, `sum`, `min`, `max`, `indexOf` and `lastIndexOf` on lists.
final class ListFunctions {

    private static final TypeParamType ITEM = TypeParamType.create("A");
    private static final ListType LIST = ListType.create(ITEM);

    private static final long LONGEST_RANGE = 100_000;

    private ListFunctions() {}

    static void addTo(FunctionLibrary library) {
        library.function("isSorted")
                .member("list_is_sorted_bool", SimpleType.BOOL, LIST, List.class, ListFunctions::isSorted);
        library.function("lists.range")
                .global(
                        "lists_range",
                        ListType.create(SimpleType.INT),
                        SimpleType.INT,
                        Long.class,
                        ListFunctions::range);
        library.function("sum").member("list_sum", ITEM, LIST, List.class, ListFunctions::sum);
        library.function("min").member("list_min", ITEM, LIST, List.class, list -> extreme(list, "min", -1));
        library.function("max").member("list_max", ITEM, LIST, List.class, list -> extreme(list, "max", 1));
        library.function("indexOf")
                .member("list_a_index_of_int", SimpleType.INT, LIST, List.class, ITEM, Object.class, (list, item) ->
                        (long) list.indexOf(item));
        library.function("lastIndexOf")
                .member(
                        "list_a_last_index_of_int",
                        SimpleType.INT,
                        LIST,
                        List.class,
                        ITEM,
                        Object.class,
                        (list, item) -> (long) list.lastIndexOf(item));
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static List<Long> range(long size) {
        if (size > LONGEST_RANGE) {
            throw new JsonValues.Missing("lists.range: " + size + " is more than " + LONGEST_RANGE);
        }
        return LongStream.range(0, size).boxed().toList();
    }

    private static Object sum(List<?> list) {
        Object total = 0L;
        for (int i = 0; i < list.size(); i++) {
            total = i == 0 ? list.get(i) : plus(total, list.get(i));
        }
        return total;
    }

    private static Object plus(Object one, Object other) {
        return switch (one) {
            case Long a when other instanceof Long b -> Math.addExact(a, b);
            case Double a when other instanceof Double b -> a + b;
            case Duration a when other instanceof Duration b -> a.plus(b);
            default -> throw new JsonValues.Missing("no such overload");
        };
    }

    private static Object extreme(List<?> list, String name, int sign) {
        if (list.isEmpty()) {
            throw new JsonValues.Missing(name + " called on empty list");
        }
        Object best = list.getFirst();
        for (var item : list) {
            if (compare(item, best) * sign > 0) {
                best = item;
            }
        }
        return best;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        if (one instanceof Number a && other instanceof Number b && a.getClass() != b.getClass()) {
            return Double.compare(a.doubleValue(), b.doubleValue());
        }
        if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        throw new JsonValues.Missing("no such overload");
    }
}

package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.Matrix;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The combinations of a matrix.
public final class MatrixExpansion {

    private MatrixExpansion() {}

    /// The params of each combination, sorted by name. The values of the first param change fastest.
    ///
    /// What is included fills in the combinations that it does not contradict; where it shares no value with
    /// any of them, it is a combination of its own.
    public static List<List<Param>> combinations(Matrix matrix) {
        var included =
                matrix.include().stream().map(MatrixExpansion::combination).toList();
        if (matrix.params().isEmpty()) {
            return included.stream().map(MatrixExpansion::params).toList();
        }
        List<Map<String, String>> combinations = new ArrayList<>();
        for (var param : matrix.params()) {
            combinations =
                    combinations.isEmpty() ? distribute(List.of(Map.of()), param) : distribute(combinations, param);
        }
        for (var combination : combinations) {
            included.stream().filter(more -> !contradicts(combination, more)).forEach(combination::putAll);
        }
        for (var more : included) {
            if (!more.isEmpty() && combinations.stream().noneMatch(combination -> shares(combination, more))) {
                combinations.add(new HashMap<>(more));
            }
        }
        return combinations.stream().map(MatrixExpansion::params).toList();
    }

    private static Map<String, String> combination(Matrix.Include include) {
        var combination = new LinkedHashMap<String, String>();
        include.params()
                .forEach(param -> combination.put(param.name(), param.value().textOrEmpty()));
        return combination;
    }

    private static List<Map<String, String>> distribute(List<? extends Map<String, String>> combinations, Param param) {
        var more = new ArrayList<Map<String, String>>();
        for (var value : items(param)) {
            for (var combination : combinations) {
                var extended = new HashMap<>(combination);
                extended.put(param.name(), value);
                more.add(extended);
            }
        }
        return more;
    }

    private static boolean contradicts(Map<String, String> combination, Map<String, String> more) {
        return more.entrySet().stream()
                .anyMatch(entry -> combination.containsKey(entry.getKey())
                        && !entry.getValue().equals(combination.get(entry.getKey())));
    }

    private static boolean shares(Map<String, String> combination, Map<String, String> more) {
        return more.entrySet().stream().anyMatch(entry -> entry.getValue().equals(combination.get(entry.getKey())));
    }

    private static List<Param> params(Map<String, String> combination) {
        var params = new ArrayList<Param>();
        new TreeMap<>(combination).forEach((name, value) -> params.add(Param.of(name, value)));
        return params;
    }

    /// How many combinations there will be, before they are made; arrays that are not known yet count as one.
    public static long count(Matrix matrix) {
        long count = matrix.params().isEmpty() ? 0 : 1;
        for (var param : matrix.params()) {
            int size = items(param).size();
            if (size > 0) {
                count = count > Long.MAX_VALUE / size ? Long.MAX_VALUE : count * size;
            }
        }
        long added = added(matrix);
        return count > Long.MAX_VALUE - added ? Long.MAX_VALUE : count + added;
    }

    private static long added(Matrix matrix) {
        if (matrix.params().isEmpty()) {
            return matrix.include().size();
        }
        var values = new HashMap<String, List<String>>();
        matrix.params().forEach(param -> values.put(param.name(), items(param)));
        long count = 0;
        for (var include : matrix.include()) {
            for (var param : include.params()) {
                var known = values.get(param.name());
                if (known != null && known.contains(param.value().textOrEmpty())) {
                    break;
                }
                if (known != null) {
                    count++;
                }
            }
        }
        return count;
    }

    private static List<String> items(Param param) {
        return param.value() instanceof ParamValue.Array(var items) ? items : List.of();
    }
}

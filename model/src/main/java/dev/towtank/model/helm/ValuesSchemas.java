package dev.towtank.model.helm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks values against the schemas of a chart and of those below it.
final class ValuesSchemas {
    private ValuesSchemas() {}

    static void check(Chart chart, Map<String, @Nullable Object> values) {
        var found = new ArrayList<String>();
        check(chart, values, found);
        if (!found.isEmpty()) {
            throw new HelmError("values don't meet the specifications of the schema(s) in the following chart(s):\n"
                    + String.join("", found));
        }
    }

    private static void check(Chart chart, Map<String, @Nullable Object> values, List<String> found) {
        chart.schema().ifPresent(schema -> {
            var errors = JsonSchema.validate(schema, ValueTables.json(values));
            if (!errors.isEmpty()) {
                found.add(chart.name() + ":\n- " + String.join("\n- ", errors) + "\n");
            }
        });
        for (var each : chart.dependencies()) {
            var inner = ValueTables.find(values, each.name());
            check(each, inner == null ? new TreeMap<String, @Nullable Object>() : inner, found);
        }
    }
}

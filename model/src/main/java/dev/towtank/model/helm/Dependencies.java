package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.Values;
import dev.towtank.model.template.functions.SemanticVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which of the charts in a chart take part, by which name, and which of their values it imports.
final class Dependencies {
    private Dependencies() {}

    /// A chart with only those dependencies that are wanted, and with the values that it imports from them.
    static Chart resolve(Chart chart, Map<String, @Nullable Object> values) {
        return importValues(enable(chart, values, ""));
    }

    private static Chart enable(Chart chart, Map<String, @Nullable Object> values, String path) {
        var declared = chart.metadata().objects("dependencies");
        if (declared.isEmpty()) {
            return chart;
        }
        var charts = new ArrayList<Chart>();
        for (var each : chart.dependencies()) {
            if (declared.stream().noneMatch(one -> isMeant(one, each))) {
                charts.add(each);
            }
        }
        for (var one : declared) {
            chart.dependencies().stream()
                    .filter(each -> isMeant(one, each))
                    .findFirst()
                    .ifPresent(each -> charts.add(each.withName(nameOf(one))));
        }
        if (path.isEmpty()) {
            // What charts below declare and do not have is nobody's business, as in Helm.
            checkPresent(chart, declared);
        }
        var named = chart.withDependencies(charts);
        var coalesced = ValueTables.copy(values);
        ValueTables.coalesce(named, coalesced, false);
        var disabled = declared.stream()
                .filter(one -> !isEnabled(one, coalesced, path))
                .map(Dependencies::nameOf)
                .toList();
        var wanted = new ArrayList<Chart>();
        for (var each : charts) {
            if (!disabled.contains(each.name())) {
                wanted.add(enable(each, coalesced, path + each.name() + "."));
            }
        }
        return named.withDependencies(wanted);
    }

    private static void checkPresent(Chart chart, List<Json.Obj> declared) {
        var missing = declared.stream()
                .map(one -> one.string("name"))
                .filter(name -> chart.dependencies().stream()
                        .noneMatch(each -> each.name().equals(name)))
                .toList();
        if (!missing.isEmpty()) {
            throw new HelmError("An error occurred while checking for chart dependencies. You may need to run"
                    + " `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: "
                    + String.join(", ", missing));
        }
    }

    private static boolean isMeant(Json.Obj declared, Chart chart) {
        return chart.name().equals(declared.string("name"))
                && (declared.string("version").isEmpty()
                        || SemanticVersions.satisfies(declared.string("version"), chart.version()));
    }

    private static String nameOf(Json.Obj declared) {
        return declared.string("alias").isEmpty() ? declared.string("name") : declared.string("alias");
    }

    // Tags say it first; a condition that has a value has the last word.
    private static boolean isEnabled(Json.Obj declared, Map<String, @Nullable Object> values, String path) {
        boolean enabled = true;
        if (values.get("tags") instanceof Map<?, ?> tags) {
            var said = declared.array("tags").strings().stream()
                    .map(tags::get)
                    .filter(Boolean.class::isInstance)
                    .toList();
            enabled = said.isEmpty() || said.contains(true);
        }
        for (var condition : declared.string("condition").strip().split(",", -1)) {
            if (!condition.isEmpty() && ValueTables.at(values, path + condition) instanceof Boolean said) {
                return said;
            }
        }
        return enabled;
    }

    private static Chart importValues(Chart chart) {
        var below = chart.withDependencies(
                chart.dependencies().stream().map(Dependencies::importValues).toList());
        var declared = chart.metadata().objects("dependencies");
        if (declared.stream().allMatch(one -> one.array("import-values").size() == 0)) {
            return below;
        }
        var own = new TreeMap<String, @Nullable Object>();
        ValueTables.coalesce(below, own, true);
        var imported = new TreeMap<String, @Nullable Object>();
        for (var one : declared) {
            for (var what : one.array("import-values")) {
                importTable(what, nameOf(one), own, imported);
            }
        }
        ValueTables.coalesceTables(own, ValueTables.copy(imported), true);
        return below.withValues(ValueTables.json(own));
    }

    private static void importTable(
            Json what, String chart, Map<String, @Nullable Object> own, Map<String, @Nullable Object> imported) {
        var child =
                what instanceof Json.Obj pair ? Print.value(Values.of(pair.get("child"))) : "exports." + what.display();
        var parent = what instanceof Json.Obj pair ? Print.value(Values.of(pair.get("parent"))) : ".";
        var found = ValueTables.find(own, chart + "." + child);
        if (found == null) {
            return;
        }
        var table = ValueTables.copy(found);
        if (!parent.equals(".")) {
            for (var key : List.of(parent.split("\\.", -1)).reversed()) {
                var outer = new TreeMap<String, @Nullable Object>();
                outer.put(key, table);
                table = outer;
            }
        }
        ValueTables.coalesceTables(imported, table, true);
    }
}

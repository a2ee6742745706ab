package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values that stand in files.
public final class ValueFiles {
    private static final Pattern OF_A_CHART = Pattern.compile("(charts/[^/]+/)*(values|Chart)\\.yaml");

    private ValueFiles() {}

    /// The keys that stand twice in a file, such as `values.yaml: line 4: key "c" already set in map`: the last one
    /// counts, for us as for Helm, and is seldom what was meant.
    public static List<String> duplicates(String file, byte[] text) {
        var found = new ArrayList<String>();
        try {
            YamlText.first(text, each -> found.add(file + ": " + each));
        } catch (JsonText.Malformed e) {
            return List.of(); // whoever renders it says so
        }
        return found;
    }

    /// Those of a chart's own files, and of the charts in it.
    public static List<String> duplicates(Map<String, byte[]> chart) {
        return chart.entrySet().stream()
                .filter(each -> OF_A_CHART.matcher(each.getKey()).matches())
                .flatMap(each -> duplicates(each.getKey(), each.getValue()).stream())
                .toList();
    }

    /// Puts the values of a file over others: tables are merged, everything else is replaced.
    public static void override(Map<String, @Nullable Object> values, String file, byte[] text) {
        try {
            switch (YamlText.first(text, _ -> {})) {
                case Json.Obj object -> ValueTables.override(values, Values.mapOf(object));
                case Json.Null _ -> {}
                case Json _ -> throw new HelmError("failed to parse " + file + ": values must be a mapping");
            }
        } catch (JsonText.Malformed e) {
            throw new HelmError("failed to parse " + file + ": " + e.getMessage());
        }
    }
}

package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Values;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values that stand in files.
public final class ValueFiles {
    private ValueFiles() {}

    /// Puts the values of a file over others: tables are merged, everything else is replaced.
    public static void override(Map<String, @Nullable Object> values, String file, byte[] text) {
        try {
            switch (YamlText.parse(text, _ -> {})) {
                case Json.Obj object -> ValueTables.override(values, Values.mapOf(object));
                case Json.Null _ -> {}
                case Json _ -> throw new HelmError("failed to parse " + file + ": values must be a mapping");
            }
        } catch (JsonText.Malformed e) {
            throw new HelmError("failed to parse " + file + ": " + e.getMessage());
        }
    }
}

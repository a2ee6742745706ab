package dev.towtank.model.helm;

import dev.towtank.model.InstallOrder;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Makes objects of what templates wrote.
final class Manifests {
    private static final String HOOK = "helm.sh/hook";
    private static final String HOOK_WEIGHT = "helm.sh/hook-weight";
    private static final String SEPARATOR = "---";

    private Manifests() {}

    /// @param texts what each template wrote, by its path
    static Rendered sort(Map<String, String> texts, List<Rendered.Entry> crds, String notes) {
        var objects = new ArrayList<Rendered.Entry>();
        var hooks = new ArrayList<Rendered.Entry>();
        texts.forEach((source, text) -> {
            for (var entry : read(source, text)) {
                (isHook(entry.object()) ? hooks : objects).add(entry);
            }
        });
        objects.sort(Comparator.comparingInt(Manifests::rank).thenComparing(Manifests::unrankedKind));
        hooks.sort(Comparator.comparingLong(entry -> weight(entry.object())));
        return new Rendered(crds, objects, hooks, notes);
    }

    static List<Rendered.Entry> read(String source, String text) {
        var entries = new ArrayList<Rendered.Entry>();
        for (var document : documents(text)) {
            if (document.isBlank()) {
                continue;
            }
            // The end of the line belongs to a block of text that the document may end with.
            switch (parse(source, document + "\n")) {
                case Json.Null _ -> {}
                case Json.Obj object -> entries.add(new Rendered.Entry(source, object));
                case Json other ->
                    throw new HelmError("YAML parse error on " + source
                            + ": error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " + type(other)
                            + " into Go value of type releaseutil.SimpleHead");
            }
        }
        return entries;
    }

    // Space around the marks counts for nothing, not even that in front of the first line.
    private static List<String> documents(String text) {
        var found = new ArrayList<String>();
        int start = 0;
        for (int at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + SEPARATOR.length())) {
            if (text.substring(start, at).isBlank() || text.charAt(at - 1) == '\n') {
                found.add(text.substring(start, at).strip());
                start = at + SEPARATOR.length();
            }
        }
        found.add(text.substring(start).strip());
        return found;
    }

    private static Json parse(String source, String document) {
        try {
            return YamlText.parse(document.getBytes(java.nio.charset.StandardCharsets.UTF_8), _ -> {});
        } catch (JsonText.Malformed e) {
            throw new HelmError("YAML parse error on " + source + ": error converting YAML to JSON: " + e.getMessage());
        }
    }

    private static String type(Json json) {
        return switch (json) {
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
            case Json.Str _ -> "string";
            case Json.Bool _ -> "bool";
            case Json.Int _, Json.Real _, Json.Null _ -> "number";
        };
    }

    private static boolean isHook(Json.Obj object) {
        return !object.string("metadata", "annotations", HOOK).isEmpty();
    }

    private static long weight(Json.Obj object) {
        var text = object.string("metadata", "annotations", HOOK_WEIGHT);
        return text.matches("[-+]?[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }

    // Helm has one kind before those that everybody knows.
    private static int rank(Rendered.Entry entry) {
        var kind = entry.object().string("kind");
        return kind.equals("PriorityClass") ? -1 : InstallOrder.rank(kind);
    }

    private static String unrankedKind(Rendered.Entry entry) {
        return rank(entry) == InstallOrder.LAST ? entry.object().string("kind") : "";
    }
}

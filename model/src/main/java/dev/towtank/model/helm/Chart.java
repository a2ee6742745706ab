package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A chart: what its Chart.yaml says, its files by what they are for, and the charts in its `charts/` folder.
///
/// @param metadata the content of Chart.yaml; the dependencies of a chart in the older format are among it
/// @param files what `.Files` sees: all that is neither metadata, template, nor another chart
public record Chart(
        Json.Obj metadata,
        Json.Obj values,
        Map<String, byte[]> templates,
        Map<String, byte[]> files,
        Map<String, byte[]> crds,
        Optional<Json.Obj> schema,
        List<Chart> dependencies) {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_FILE = 5 << 20;

    /// Reads a chart.
    ///
    /// @param files by path inside of the chart's folder
    public static Chart of(Map<String, byte[]> files) {
        // What charts in it want to be ignored counts where they are packed, as in Helm.
        return of(HelmIgnore.of(files.get(".helmignore")).filter(files), List.of());
    }

    /// @param above the charts that it is in, as name and version
    private static Chart of(Map<String, byte[]> files, List<String> above) {
        if (above.size() > MAX_DEPTH) {
            throw new HelmError("charts in charts are nested more than " + MAX_DEPTH + " deep");
        }
        if (!files.containsKey("Chart.yaml")) {
            throw new HelmError("Chart.yaml file is missing");
        }
        var metadata = metadata(files);
        var chain = chain(above, metadata);
        var templates = new TreeMap<String, byte[]>();
        var others = new TreeMap<String, byte[]>();
        var crds = new TreeMap<String, byte[]>();
        var below = new TreeMap<String, Map<String, byte[]>>();
        files.forEach((path, content) -> {
            if (content.length > MAX_FILE) {
                throw new HelmError("chart file \"" + path + "\" is larger than the maximum file size " + MAX_FILE);
            }
            if (path.startsWith("templates/")) {
                templates.put(path, content);
            } else if (path.startsWith("charts/")) {
                inside(path.substring("charts/".length()), content, below);
            } else if (!isKnown(path)) {
                others.put(path, content);
                if (path.startsWith("crds/") && path.matches(".*\\.(ya?ml|json)")) {
                    crds.put(path, content);
                }
            }
        });
        var dependencies = new ArrayList<Chart>();
        below.forEach((folder, inner) -> {
            if (!folder.startsWith("_") && !folder.startsWith(".")) {
                dependencies.add(named(folder, inner, metadata.string("name"), chain));
            }
        });
        return new Chart(metadata, values(files), templates, others, crds, schema(files), dependencies);
    }

    /// A chart that is in itself, whatever is between, would be in itself without end.
    private static List<String> chain(List<String> above, Json.Obj metadata) {
        var chart = metadata.string("name") + " " + metadata.string("version");
        var chain = new ArrayList<>(above);
        chain.add(chart);
        if (above.contains(chart)) {
            throw new HelmError("cycle detected: chart " + String.join(" contains ", chain)
                    + "; take it out of charts/ and of the dependencies");
        }
        return chain;
    }

    private static Chart named(String what, Map<String, byte[]> files, String parent, List<String> above) {
        try {
            return of(isArchive(what) ? ChartArchive.unpack(files.getOrDefault("", new byte[0])) : files, above);
        } catch (HelmError e) {
            throw e.text().startsWith("cycle detected")
                    ? e
                    : new HelmError("error unpacking subchart " + what + " in " + parent + ": " + e.text());
        }
    }

    private static boolean isArchive(String name) {
        return name.endsWith(".tgz") || name.endsWith(".tar.gz");
    }

    // An archive stands there alone; other files right in the folder mean nothing.
    private static void inside(String path, byte[] content, Map<String, Map<String, byte[]>> below) {
        int slash = path.indexOf('/');
        if (slash > 0 || isArchive(path)) {
            below.computeIfAbsent(slash > 0 ? path.substring(0, slash) : path, _ -> new TreeMap<>())
                    .put(slash > 0 ? path.substring(slash + 1) : "", content);
        }
    }

    private static boolean isKnown(String path) {
        return switch (path) {
            case "Chart.yaml",
                    "Chart.lock",
                    "values.yaml",
                    "values.schema.json",
                    "requirements.yaml",
                    "requirements.lock" -> true;
            default -> false;
        };
    }

    private static Json.Obj metadata(Map<String, byte[]> files) {
        var metadata = ChartMetadata.typed("Chart.yaml", mapping("Chart.yaml", "chart.Metadata", files));
        if (metadata.string("apiVersion").isEmpty()) {
            metadata = metadata.with("apiVersion", Json.of("v1"));
        }
        if (files.containsKey("requirements.yaml")) {
            var older = ChartMetadata.typed("requirements.yaml", mapping("requirements.yaml", "chart.Metadata", files));
            var dependencies = older.get("dependencies");
            metadata = dependencies == null || metadata.has("dependencies")
                    ? metadata
                    : metadata.with("dependencies", dependencies);
        }
        ChartMetadata.check(metadata);
        return metadata;
    }

    private static Json.Obj values(Map<String, byte[]> files) {
        return files.containsKey("values.yaml")
                ? mapping("values.yaml", "map[string]interface {}", files)
                : Json.Obj.EMPTY;
    }

    private static Optional<Json.Obj> schema(Map<String, byte[]> files) {
        var text = files.get("values.schema.json");
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonText.parseObject(text));
        } catch (JsonText.Malformed e) {
            throw new HelmError("values.schema.json cannot be read: " + e.getMessage());
        }
    }

    private static Json.Obj mapping(String path, String type, Map<String, byte[]> files) {
        try {
            return switch (YamlText.first(files.getOrDefault(path, new byte[0]), _ -> {})) {
                case Json.Obj object -> object;
                case Json.Null _ -> Json.Obj.EMPTY;
                case Json other ->
                    throw new HelmError(
                            "cannot load " + path + ": " + ChartMetadata.unfit(other) + "Go value of type " + type);
            };
        } catch (JsonText.Malformed e) {
            throw new HelmError("cannot load " + path + ": error converting YAML to JSON: " + e.getMessage());
        }
    }

    public String name() {
        return metadata.string("name");
    }

    public String version() {
        return metadata.string("version");
    }

    /// A library has templates that others include, and writes nothing itself.
    boolean isLibrary() {
        return metadata.string("type").equals("library");
    }

    Chart withName(String name) {
        return new Chart(metadata.with("name", Json.of(name)), values, templates, files, crds, schema, dependencies);
    }

    Chart withDependencies(List<Chart> charts) {
        return new Chart(metadata, values, templates, files, crds, schema, charts);
    }

    Chart withValues(Json.Obj newValues) {
        return new Chart(metadata, newValues, templates, files, crds, schema, dependencies);
    }
}

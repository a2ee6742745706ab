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
        return of(files, 0);
    }

    private static Chart of(Map<String, byte[]> all, int depth) {
        if (depth > MAX_DEPTH) {
            throw new HelmError("charts in charts are nested more than " + MAX_DEPTH + " deep");
        }
        var files = HelmIgnore.of(all.get(".helmignore")).filter(all);
        if (!files.containsKey("Chart.yaml")) {
            throw new HelmError("Chart.yaml file is missing");
        }
        var metadata = metadata(files);
        var templates = new TreeMap<String, byte[]>();
        var others = new TreeMap<String, byte[]>();
        var crds = new TreeMap<String, byte[]>();
        var below = new TreeMap<String, Map<String, byte[]>>();
        var archives = new ArrayList<Map<String, byte[]>>();
        files.forEach((path, content) -> {
            if (content.length > MAX_FILE) {
                throw new HelmError("chart file \"" + path + "\" is larger than the maximum file size " + MAX_FILE);
            }
            if (path.startsWith("templates/")) {
                templates.put(path, content);
            } else if (path.startsWith("charts/")) {
                inside(path.substring("charts/".length()), content, below, archives);
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
                dependencies.add(named(folder, inner, depth + 1));
            }
        });
        archives.forEach(archive -> dependencies.add(of(archive, depth + 1)));
        return new Chart(metadata, values(files), templates, others, crds, schema(files), dependencies);
    }

    private static Chart named(String folder, Map<String, byte[]> files, int depth) {
        try {
            return of(files, depth);
        } catch (HelmError e) {
            throw new HelmError("error unpacking subchart " + folder + ": " + e.text());
        }
    }

    private static void inside(
            String path, byte[] content, Map<String, Map<String, byte[]>> below, List<Map<String, byte[]>> archives) {
        int slash = path.indexOf('/');
        if (slash > 0) {
            below.computeIfAbsent(path.substring(0, slash), _ -> new TreeMap<>())
                    .put(path.substring(slash + 1), content);
        } else if (path.endsWith(".tgz") || path.endsWith(".tar.gz")) {
            archives.add(ChartArchive.unpack(content));
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
        var metadata = mapping("Chart.yaml", files);
        if (metadata.string("name").isEmpty()) {
            throw new HelmError("validation: chart.metadata.name is required");
        }
        if (metadata.string("apiVersion").isEmpty()) {
            metadata = metadata.with("apiVersion", Json.of("v1"));
        }
        if (metadata.string("version").isEmpty()) {
            throw new HelmError("validation: chart.metadata.version is required");
        }
        if (metadata.string("name").contains("/") || metadata.string("name").contains("..")) {
            throw new HelmError("validation: chart.metadata.name \"" + metadata.string("name") + "\" is invalid");
        }
        var older = files.containsKey("requirements.yaml")
                ? mapping("requirements.yaml", files).get("dependencies")
                : null;
        return older == null || metadata.has("dependencies") ? metadata : metadata.with("dependencies", older);
    }

    private static Json.Obj values(Map<String, byte[]> files) {
        return files.containsKey("values.yaml") ? mapping("values.yaml", files) : Json.Obj.EMPTY;
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

    private static Json.Obj mapping(String path, Map<String, byte[]> files) {
        try {
            return switch (YamlText.parse(files.getOrDefault(path, new byte[0]), _ -> {})) {
                case Json.Obj object -> object;
                case Json.Null _ -> Json.Obj.EMPTY;
                case Json other -> throw new HelmError("cannot load " + path + ": it is no mapping: " + other);
            };
        } catch (JsonText.Malformed e) {
            throw new HelmError("cannot load " + path + ": " + e.getMessage());
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

package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.Values;
import dev.towtank.model.template.functions.SemanticVersions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What a Chart.yaml may say, and of which type it is. A number where a text is wanted becomes one, as in Helm;
/// whatever else does not fit is refused in Helm's words.
final class ChartMetadata {
    private static final String TEXT = "string";
    private static final String TEXTS = "[]string";
    private static final String MAINTAINERS = "[]*chart.Maintainer";
    private static final String DEPENDENCIES = "[]*chart.Dependency";
    private static final String ANY = "[]interface {}";
    private static final String FLAG = "bool";
    private static final String MAP = "map[string]string";

    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("name", TEXT),
            Map.entry("home", TEXT),
            Map.entry("sources", TEXTS),
            Map.entry("version", TEXT),
            Map.entry("description", TEXT),
            Map.entry("keywords", TEXTS),
            Map.entry("maintainers", MAINTAINERS),
            Map.entry("icon", TEXT),
            Map.entry("apiVersion", TEXT),
            Map.entry("condition", TEXT),
            Map.entry("tags", TEXT),
            Map.entry("appVersion", TEXT),
            Map.entry("deprecated", FLAG),
            Map.entry("annotations", MAP),
            Map.entry("kubeVersion", TEXT),
            Map.entry("dependencies", DEPENDENCIES),
            Map.entry("type", TEXT));
    private static final Map<String, String> MAINTAINER = Map.of("name", TEXT, "email", TEXT, "url", TEXT);
    private static final Map<String, String> DEPENDENCY = Map.of(
            "name",
            TEXT,
            "version",
            TEXT,
            "repository",
            TEXT,
            "condition",
            TEXT,
            "tags",
            TEXTS,
            "enabled",
            FLAG,
            "import-values",
            ANY,
            "alias",
            TEXT);
    private static final Pattern ALIAS = Pattern.compile("[a-zA-Z0-9_-]+");

    private final String file;

    private ChartMetadata(String file) {
        this.file = file;
    }

    /// @param file that the fields stand in, `Chart.yaml` or `requirements.yaml`
    static Json.Obj typed(String file, Json.Obj fields) {
        return new ChartMetadata(file).struct(fields, FIELDS, "Metadata.");
    }

    private Json.Obj struct(Json.Obj fields, Map<String, String> types, String path) {
        var typed = Json.Obj.builder();
        fields.forEach((key, value) -> {
            var type = types.get(key);
            typed.put(key, type == null ? value : typed(value, type, path + key));
        });
        return typed.build();
    }

    private Json typed(Json value, String type, String path) {
        if (value instanceof Json.Null) {
            return value;
        }
        return switch (type) {
            case TEXT -> text(value, path);
            case FLAG -> value instanceof Json.Bool ? value : wrong(value, type, path);
            case MAP -> value instanceof Json.Obj map ? texts(map, path) : wrong(value, type, path);
            case ANY -> value instanceof Json.Arr ? value : wrong(value, type, path);
            case TEXTS ->
                value instanceof Json.Arr items
                        ? new Json.Arr(items.items().stream()
                                .map(item -> typed(item, TEXT, path))
                                .toList())
                        : wrong(value, type, path);
            case MAINTAINERS -> structs(value, MAINTAINER, type, path);
            case DEPENDENCIES -> structs(value, DEPENDENCY, type, path);
            default -> throw new IllegalArgumentException(type);
        };
    }

    private Json structs(Json value, Map<String, String> types, String type, String path) {
        if (!(value instanceof Json.Arr items)) {
            return wrong(value, type, path);
        }
        return new Json.Arr(items.items().stream()
                .map(item -> switch (item) {
                    case Json.Obj fields -> struct(fields, types, inner(type, path));
                    case Json.Null none -> none;
                    case Json other -> wrong(other, type.substring("[]*".length()), path);
                })
                .toList());
    }

    // Go names the innermost struct, and the fields that lead to it.
    private static String inner(String type, String path) {
        return type.substring("[]*chart.".length()) + path.substring(path.indexOf('.')) + ".";
    }

    private Json texts(Json.Obj map, String path) {
        var texts = Json.Obj.builder();
        map.forEach((key, value) -> texts.put(key, value instanceof Json.Null ? Json.of("") : text(value, path)));
        return texts.build();
    }

    private Json text(Json value, String path) {
        return switch (value) {
            case Json.Str text -> text;
            case Json.Bool _, Json.Int _, Json.Real _ -> Json.of(Print.value(Values.of(value)));
            case Json.Null _, Json.Arr _, Json.Obj _ -> wrong(value, TEXT, path);
        };
    }

    private Json wrong(Json value, String type, String path) {
        throw new HelmError(
                "cannot load " + file + ": " + unfit(value) + "Go struct field " + path + " of type " + type);
    }

    /// Go's words for a value that is of another type than wanted.
    static String unfit(Json value) {
        return "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                + switch (value) {
                    case Json.Str _ -> "string";
                    case Json.Bool _ -> "bool";
                    case Json.Int _, Json.Real _ -> "number";
                    case Json.Arr _ -> "array";
                    case Json.Obj _ -> "object";
                    case Json.Null _ -> "null";
                }
                + " into ";
    }

    /// @throws HelmError for a chart that nobody could install
    static void check(Json.Obj metadata) {
        var name = metadata.string("name");
        if (name.isEmpty()) {
            throw invalid("chart.metadata.name is required");
        }
        if (name.equals(".") || name.equals("..")) {
            throw invalid("chart.metadata.name \"" + name + "\" is not allowed");
        }
        if (name.contains("/")) {
            throw invalid("chart.metadata.name \"" + name + "\" is invalid");
        }
        var version = metadata.string("version");
        if (version.isEmpty()) {
            throw invalid("chart.metadata.version is required");
        }
        if (!SemanticVersions.isVersion(version)) {
            throw invalid("chart.metadata.version \"" + version + "\" is invalid");
        }
        if (!List.of("", "application", "library").contains(metadata.string("type"))) {
            throw invalid("chart.metadata.type must be application or library");
        }
        if (metadata.array("maintainers").items().contains(Json.Null.NULL)) {
            throw invalid("maintainers must not contain empty or null nodes");
        }
        checkDependencies(metadata.array("dependencies"));
    }

    private static void checkDependencies(Json.Arr dependencies) {
        var names = new HashSet<String>();
        for (var each : dependencies) {
            if (!(each instanceof Json.Obj dependency)) {
                throw invalid("dependencies must not contain empty or null nodes");
            }
            var alias = dependency.string("alias");
            if (!alias.isEmpty() && !ALIAS.matcher(alias).matches()) {
                throw invalid(
                        "dependency \"" + dependency.string("name") + "\" has disallowed characters in the alias");
            }
            var name = alias.isEmpty() ? dependency.string("name") : alias;
            if (!names.add(name)) {
                throw invalid("more than one dependency with name or alias \"" + name + "\"");
            }
        }
    }

    private static HelmError invalid(String why) {
        return new HelmError("validation: " + why);
    }
}

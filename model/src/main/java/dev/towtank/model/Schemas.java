package dev.towtank.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A collection of types, read from text; the format is explained at the top of `builtin.schema`.
public final class Schemas {

    /// Loads the built-in types when they are first needed.
    private static final class Builtin {
        static final Schemas INSTANCE = load("builtin.schema");
    }

    private static final Map<String, Schema.Scalar> SCALARS =
            Stream.of(Schema.Scalar.values()).collect(Collectors.toUnmodifiableMap(Schemas::nameOf, scalar -> scalar));

    private static final Map<String, String> GO_NAMES = Map.of(
            "double", "float64",
            "bytes", "[]uint8",
            "quantity", "resource.Quantity",
            "intOrString", "intstr.IntOrString",
            "time", "v1.Time",
            "microTime", "v1.MicroTime",
            "duration", "v1.Duration",
            "any", "runtime.RawExtension");

    private final Map<String, Schema.Type> types = new LinkedHashMap<>();
    private final Map<String, Schema.Type> kinds = new HashMap<>();
    private final Map<String, String> packages = new HashMap<>();
    private final Map<String, String[]> names = new HashMap<>();

    private Schemas() {}

    public static Schemas builtin() {
        return Builtin.INSTANCE;
    }

    /// The type of the objects of a kind, such as `apps/v1` and `Deployment`.
    public Optional<Schema.Type> find(String apiVersion, String kind) {
        return Optional.ofNullable(kinds.get(apiVersion + " " + kind));
    }

    /// Whether any built-in kind is of this group.
    public boolean isGroup(String group) {
        return kinds.values().stream()
                .anyMatch(type -> groupOf(type.apiVersion()).equals(group));
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /// The type of a kind; nothing for kinds that take any fields.
    public Optional<Schema.Type> find(Kind<?> kind) {
        return kind.schema().isEmpty() ? Optional.empty() : find(kind.apiVersion(), kind.kind());
    }

    /// A type by the name of its OpenAPI definition.
    public Optional<Schema.Type> type(String name) {
        return Optional.ofNullable(types.get(name));
    }

    public Collection<Schema.Type> types() {
        return List.copyOf(types.values());
    }

    private static Schemas load(String resource) {
        try (var in = Schemas.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + resource + " is missing from the build");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Schemas parse(String text) {
        var schemas = new Schemas();
        var here = new String[] {"", "", ""};
        var fields = new ArrayList<String[]>();
        for (var line : text.lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            var words = line.strip().split(" ");
            if (line.startsWith("  ")) {
                fields.add(words);
                continue;
            }
            switch (words[0]) {
                case "package" -> {
                    here = new String[] {words[1], words[2], words[3]};
                    schemas.packages.put(words[1], words[2]);
                }
                case "name" -> schemas.names.put(here[1] + "." + words[1], words);
                case "type" -> {
                    fields = new ArrayList<>();
                    schemas.add(here[1], here[2], words, fields);
                }
                default -> throw new IllegalArgumentException("cannot read the schema line: " + line);
            }
        }
        return schemas;
    }

    private void add(String packageName, String apiVersion, String[] words, List<String[]> fields) {
        var name = packageName + "." + words[1];
        var marks = List.of(words).subList(2, words.length);
        var form = Schema.Form.OBJECT;
        for (var mark : marks) {
            form = switch (mark) {
                case "orBool" -> Schema.Form.SCHEMA_OR_BOOL;
                case "orArray" -> Schema.Form.SCHEMA_OR_ARRAY;
                case "orStrings" -> Schema.Form.SCHEMA_OR_STRINGS;
                default -> form;
            };
        }
        boolean kind = marks.contains("kind");
        var type = new Schema.Type(
                name,
                apiVersion,
                kind,
                marks.contains("atomic"),
                form,
                () -> fields.stream().map(each -> field(packageName, each)).toList());
        types.put(name, type);
        if (kind) {
            kinds.put(apiVersion + " " + words[1], type);
        }
    }

    private Schema.Field field(String packageName, String[] words) {
        var marks = new HashMap<String, String>();
        for (int i = 3; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            marks.put(
                    equals < 0 ? words[i] : words[i].substring(0, equals),
                    equals < 0 ? "" : words[i].substring(equals + 1));
        }
        boolean pointer = words[2].startsWith("*");
        var value = value(packageName, pointer ? words[2].substring(1) : words[2]);
        boolean isList = value instanceof Schema.Value.ListOf;
        var keys = marks.getOrDefault("keys", "");
        return new Schema.Field(
                words[0],
                Integer.parseInt(words[1]),
                value,
                pointer,
                marks.containsKey("required"),
                !marks.containsKey("keep"),
                marks.containsKey("inline"),
                isAtomic(value, marks),
                isList ? listType(marks) : Optional.empty(),
                keys.isEmpty() ? List.of() : List.of(keys.split(",")),
                strategy(marks),
                Optional.ofNullable(marks.get("default")),
                marks.containsKey("off"));
    }

    private static boolean isAtomic(Schema.Value value, Map<String, String> marks) {
        boolean byType = value instanceof Schema.Value.ObjectOf(var type) && type.isAtomic();
        return marks.containsKey("atomic") || (byType && !marks.containsKey("granular"));
    }

    private static Optional<Schema.ListType> listType(Map<String, String> marks) {
        if (marks.containsKey("keys")) {
            return Optional.of(Schema.ListType.MAP);
        }
        if (marks.containsKey("set")) {
            return Optional.of(Schema.ListType.SET);
        }
        return marks.containsKey("atomic") ? Optional.of(Schema.ListType.ATOMIC) : Optional.empty();
    }

    private static Schema.PatchStrategy strategy(Map<String, String> marks) {
        boolean merge = marks.containsKey("merge");
        boolean replace = marks.containsKey("replace");
        boolean retainKeys = marks.containsKey("retainKeys");
        return merge || replace || retainKeys
                ? new Schema.PatchStrategy(merge, replace, retainKeys, marks.getOrDefault("merge", ""))
                : Schema.PatchStrategy.NONE;
    }

    private Schema.Value value(String packageName, String text) {
        if (text.startsWith("[]")) {
            var element = value(packageName, text.substring(2));
            return new Schema.Value.ListOf(element, "[]" + element.goName(), false);
        }
        if (text.startsWith("{}")) {
            var element = value(packageName, text.substring(2));
            return new Schema.Value.MapOf(element, "map[string]" + element.goName());
        }
        if (text.startsWith("*")) {
            return value(packageName, text.substring(1));
        }
        var scalar = SCALARS.get(text);
        if (scalar != null) {
            return new Schema.Value.ScalarOf(scalar, GO_NAMES.getOrDefault(text, text));
        }
        int dot = text.indexOf('.');
        var owner = dot < 0 ? packageName : String.valueOf(packages.get(text.substring(0, dot)));
        return named(owner, text.substring(dot + 1));
    }

    private Schema.Value named(String packageName, String simpleName) {
        var type = types.get(packageName + "." + simpleName);
        if (type != null) {
            return new Schema.Value.ObjectOf(type);
        }
        var name = names.get(packageName + "." + simpleName);
        if (name == null) {
            throw new IllegalArgumentException("no type " + simpleName + " in " + packageName);
        }
        var goName = packageName.substring(packageName.lastIndexOf('.') + 1) + "." + simpleName;
        return switch (value(packageName, name[2])) {
            case Schema.Value.ScalarOf(var scalar, var _) -> new Schema.Value.ScalarOf(scalar, goName);
            case Schema.Value.ListOf(var element, var _, var _) ->
                new Schema.Value.ListOf(element, goName, name.length > 3);
            case Schema.Value.MapOf(var element, var _) -> new Schema.Value.MapOf(element, goName);
            case Schema.Value.ObjectOf object -> object;
        };
    }

    // MICRO_TIME is written microTime.
    private static String nameOf(Schema.Scalar scalar) {
        var words = scalar.name().toLowerCase(Locale.ROOT).split("_");
        return words[0]
                + Stream.of(words)
                        .skip(1)
                        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                        .collect(Collectors.joining());
    }
}

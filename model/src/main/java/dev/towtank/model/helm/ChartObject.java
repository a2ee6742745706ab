package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.TypedMap;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `.Chart`: what Chart.yaml says, with a capital letter at the start of each name.
record ChartObject(Json.Obj metadata, boolean isRoot) implements GoObject {
    private static final Map<String, String> FIELDS = Map.of("APIVersion", "apiVersion", "AppVersion", "appVersion");

    @Override
    public String type() {
        return "struct { chart.Metadata; IsRoot bool }";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "IsRoot" -> new Field(isRoot);
            case "Name",
                    "Home",
                    "Version",
                    "Description",
                    "Icon",
                    "APIVersion",
                    "Condition",
                    "Tags",
                    "AppVersion",
                    "KubeVersion",
                    "Type" -> new Field(metadata.has(field(name)) ? text(field(name)) : "");
            case "Deprecated" -> new Field(metadata.flag("deprecated"));
            case "Sources", "Keywords" ->
                new Field(TypedList.strings(metadata.array(field(name)).strings()));
            case "Annotations" -> new Field(TypedMap.strings(metadata.stringMap("annotations")));
            case "Maintainers", "Dependencies" -> new Field(objects(field(name)));
            default -> null;
        };
    }

    private Object objects(String field) {
        var items = new ArrayList<Object>();
        metadata.objects(field).forEach(each -> items.add(new Item(each)));
        return new TypedList("*chart." + field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1), items);
    }

    private static String field(String name) {
        return FIELDS.getOrDefault(name, name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
    }

    private String text(String field) {
        return java.util.Objects.requireNonNull(metadata.get(field)).display();
    }

    @Override
    public String text() {
        return Print.value(Values.of(metadata));
    }

    @Override
    public @Nullable Object data() {
        return Values.of(metadata);
    }

    /// A maintainer or a dependency.
    private record Item(Json.Obj item) implements GoObject {
        @Override
        public String type() {
            return "*chart.Dependency";
        }

        @Override
        public @Nullable Member member(String name) {
            var field = name.equals("URL") ? "url" : field(name);
            return item.has(field) || name.matches("Name|Email|URL|Version|Repository|Condition|Alias")
                    ? new Field(item.has(field) ? Values.of(item.get(field)) : "")
                    : null;
        }

        @Override
        public String text() {
            return Print.value(Values.of(item));
        }

        @Override
        public @Nullable Object data() {
            return Values.of(item);
        }
    }
}

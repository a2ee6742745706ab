package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// ConfigMaps: files and settings that are no secret.
public final class ConfigMaps {

    static final int MAX_BYTES = 1024 * 1024;

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "ConfigMap", "configmaps")
            .withShortNames("cm")
            .withRules(new ConfigMapRules())
            .withColumns(
                    Column.ofName(),
                    Column.text(
                            "Data",
                            (object, _) -> Json.of((long) object.object("data").size()
                                    + object.object("binaryData").size())),
                    Column.ofAge());

    private ConfigMaps() {}

    private static final class ConfigMapRules implements Rules {

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            Base64Data.check(object, "ConfigMap", "binaryData");
            return object;
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return prepareCreate(object);
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            var binary = root.at("binaryData");
            long[] bytes = {0};
            root.at("data").eachEntry((key, value) -> {
                checkKey(value, key);
                if (binary.has(key)) {
                    errors.invalid(value.path(), key, "duplicate of key present in binaryData");
                }
                bytes[0] += value.text().getBytes(StandardCharsets.UTF_8).length;
            });
            binary.eachEntry((key, value) -> {
                checkKey(value, key);
                bytes[0] += Base64Data.size(value);
            });
            if (bytes[0] > MAX_BYTES) {
                errors.tooLong(Path.ROOT, MAX_BYTES);
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            refuseChangesWhenImmutable(object, old, errors, List.of("data", "binaryData"));
        }
    }

    static void checkKey(Field entry, String key) {
        Names.configKey(key).forEach(problem -> entry.errors().invalid(entry.path(), key, problem));
    }

    static void refuseChangesWhenImmutable(
            Json.Obj object, Json.Obj old, FieldError.Collector errors, List<String> fields) {
        if (!old.flag("immutable")) {
            return;
        }
        if (!object.flag("immutable")) {
            errors.forbidden(Path.of("immutable"), "field is immutable when `immutable` is set");
        }
        for (var field : fields) {
            if (!object.object(field).equals(old.object(field))) {
                errors.forbidden(Path.of(field), "field is immutable when `immutable` is set");
            }
        }
    }
}

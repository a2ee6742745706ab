package dev.towtank.model.protobuf;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Kubernetes' protobuf form of built-in objects to the JSON that the same client would have sent.
///
/// The schema has the numbers of the fields, so no generated code is needed. What Go leaves out of JSON because it is
/// zero is left out here, too.
public final class ProtobufReader {

    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int MAX_DEPTH = 100;
    private static final DateTimeFormatter MICRO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ProtobufReader() {}

    /// The object in an envelope that says what it is.
    ///
    /// @throws JsonText.Malformed when the bytes are not that, or of a type that is not built in
    public static Json.Obj read(byte[] bytes, Schemas schemas) {
        if (!startsWithMagic(bytes)) {
            throw new JsonText.Malformed("the body does not begin as a protobuf object of Kubernetes does");
        }
        var envelope = fields(new ProtobufInput(bytes, MAGIC.length, bytes.length));
        var type = fields(message(envelope, 1));
        var apiVersion = text(type, 1);
        var kind = text(type, 2);
        var schema = schemas.find(apiVersion, kind)
                .orElseThrow(() -> new JsonText.Malformed(
                        "no protobuf form is known for kind \"" + kind + "\" of version \"" + apiVersion + "\""));
        var object = object(message(envelope, 2), schema, 0);
        return Json.Obj.builder()
                .put("apiVersion", apiVersion)
                .put("kind", kind)
                .putAll(object)
                .build();
    }

    private static boolean startsWithMagic(byte[] bytes) {
        for (int i = 0; i < MAGIC.length; i++) {
            if (bytes.length <= i || bytes[i] != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    /// The fields of a message as they come, by number.
    private static Map<Integer, List<ProtobufInput.Item>> fields(ProtobufInput input) {
        var found = new HashMap<Integer, List<ProtobufInput.Item>>();
        while (input.hasMore()) {
            var item = input.next();
            found.computeIfAbsent(item.number(), _ -> new ArrayList<>()).add(item);
        }
        return found;
    }

    private static ProtobufInput message(Map<Integer, List<ProtobufInput.Item>> fields, int number) {
        var items = fields.get(number);
        return items == null ? ProtobufInput.EMPTY : items.getLast().message();
    }

    private static String text(Map<Integer, List<ProtobufInput.Item>> fields, int number) {
        var items = fields.get(number);
        return items == null ? "" : items.getLast().text();
    }

    private static Json.Obj object(ProtobufInput input, Schema.Type type, int depth) {
        if (depth > MAX_DEPTH) {
            throw new JsonText.Malformed("exceeded max depth of " + MAX_DEPTH);
        }
        var builder = Json.Obj.builder();
        var items = fields(input);
        for (var field : type.declaredFields()) {
            var found = items.get(field.number());
            if (found == null || field.number() == 0) {
                continue;
            }
            if (field.inline() && field.value() instanceof Schema.Value.ObjectOf(var inner)) {
                builder.putAll(object(found.getLast().message(), inner, depth + 1));
                continue;
            }
            var value = value(found, field.value(), depth);
            if (!isLeftOut(field, value)) {
                builder.put(field.name(), value);
            }
        }
        return builder.build();
    }

    private static boolean isLeftOut(Schema.Field field, Json value) {
        if (value instanceof Json.Null) {
            return true;
        }
        if (field.pointer()) {
            return false;
        }
        return value.isEmpty() && (field.omitsEmpty() || value instanceof Json.Obj || value instanceof Json.Arr);
    }

    private static Json value(List<ProtobufInput.Item> items, Schema.Value value, int depth) {
        return switch (value) {
            case Schema.Value.ScalarOf(var scalar, var _) -> scalar(items.getLast(), scalar);
            case Schema.Value.ListOf list -> list(items, list, depth);
            case Schema.Value.MapOf(var element, var _) -> map(items, element, depth);
            case Schema.Value.ObjectOf(var type) ->
                formed(object(items.getLast().message(), type, depth + 1), type);
        };
    }

    /// Types that in JSON are either a schema or something simpler.
    private static Json formed(Json.Obj object, Schema.Type type) {
        var schema = object.get("schema");
        return switch (type.form()) {
            case OBJECT -> object;
            case SCHEMA_OR_BOOL -> schema == null ? Json.of(object.flag("allows")) : schema;
            case SCHEMA_OR_ARRAY, SCHEMA_OR_STRINGS -> schema == null ? alternative(object, type.form()) : schema;
        };
    }

    private static Json alternative(Json.Obj object, Schema.Form form) {
        return form == Schema.Form.SCHEMA_OR_ARRAY ? object.array("jSONSchemas") : object.array("property");
    }

    private static Json list(List<ProtobufInput.Item> items, Schema.Value.ListOf list, int depth) {
        if (list.wrapped()) {
            var inner = fields(items.getLast().message()).getOrDefault(1, List.of());
            return list(inner, new Schema.Value.ListOf(list.element(), list.goName(), false), depth);
        }
        var values = new ArrayList<Json>();
        for (var item : items) {
            if (item.isPacked()
                    && list.element() instanceof Schema.Value.ScalarOf(var scalar, var _)
                    && isNumber(scalar)) {
                item.unpack().forEach(each -> values.add(scalar(each, scalar)));
            } else {
                values.add(value(List.of(item), list.element(), depth));
            }
        }
        return new Json.Arr(values);
    }

    private static boolean isNumber(Schema.Scalar scalar) {
        return scalar == Schema.Scalar.INT32 || scalar == Schema.Scalar.INT64 || scalar == Schema.Scalar.BOOL;
    }

    private static Json map(List<ProtobufInput.Item> items, Schema.Value element, int depth) {
        var builder = Json.Obj.builder();
        for (var item : items) {
            var entry = fields(item.message());
            var value = entry.get(2);
            builder.put(text(entry, 1), value == null ? zero(element) : value(value, element, depth));
        }
        return builder.build();
    }

    private static Json zero(Schema.Value value) {
        return switch (value) {
            case Schema.Value.ScalarOf _ -> Json.of("");
            case Schema.Value.ListOf _ -> Json.Arr.EMPTY;
            case Schema.Value.MapOf _, Schema.Value.ObjectOf _ -> Json.Obj.EMPTY;
        };
    }

    private static Json scalar(ProtobufInput.Item item, Schema.Scalar scalar) {
        return switch (scalar) {
            case STRING -> Json.of(item.text());
            case BOOL -> Json.of(item.varint() != 0);
            case INT32, INT64 -> Json.of(item.varint());
            case DOUBLE -> new Json.Real(item.real());
            case BYTES -> Json.of(Base64.getEncoder().encodeToString(item.bytes()));
            case QUANTITY -> Json.of(text(fields(item.message()), 1));
            case INT_OR_STRING -> intOrString(fields(item.message()));
            case TIME -> time(item, DateTimeFormatter.ISO_INSTANT);
            case MICRO_TIME -> time(item, MICRO);
            case DURATION -> Json.of(Durations.format(Duration.ofNanos(number(fields(item.message()), 1))));
            case ANY -> any(fields(item.message()));
        };
    }

    private static long number(Map<Integer, List<ProtobufInput.Item>> fields, int number) {
        var items = fields.get(number);
        return items == null ? 0 : items.getLast().varint();
    }

    private static Json intOrString(Map<Integer, List<ProtobufInput.Item>> fields) {
        return number(fields, 1) == 0 ? Json.of(number(fields, 2)) : Json.of(text(fields, 3));
    }

    // Go writes the zero time as an empty message.
    private static Json time(ProtobufInput.Item item, DateTimeFormatter format) {
        var fields = fields(item.message());
        if (fields.isEmpty()) {
            return Json.Null.NULL;
        }
        try {
            return Json.of(format.format(Instant.ofEpochSecond(number(fields, 1), number(fields, 2))));
        } catch (DateTimeException e) {
            throw new JsonText.Malformed("a time is out of range");
        }
    }

    private static Json any(Map<Integer, List<ProtobufInput.Item>> fields) {
        var items = fields.get(1);
        if (items == null || items.getLast().bytes().length == 0) {
            return Json.Null.NULL;
        }
        return JsonText.parse(new String(items.getLast().bytes(), StandardCharsets.UTF_8));
    }
}

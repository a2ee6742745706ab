package dev.towtank.model.crd.schema;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects what is wrong with a value, in the words of Kubernetes' schema validation; nothing is said twice.
final class SchemaProblems {

    private @Nullable LinkedHashSet<FieldError> found;

    private void add(FieldError.Type type, String path, @Nullable Json value, String detail) {
        if (found == null) {
            found = new LinkedHashSet<>();
        }
        found.add(new FieldError(type, path, value, detail));
    }

    void addAll(SchemaProblems other) {
        for (var error : other.errors()) {
            add(error.type(), error.path(), error.value(), error.detail());
        }
    }

    boolean isEmpty() {
        return found == null;
    }

    List<FieldError> errors() {
        return found == null ? List.of() : new ArrayList<>(found);
    }

    /// `spec.x in body should …`
    void invalid(Location at, Json value, String rest) {
        var path = at.dotted();
        add(FieldError.Type.INVALID, path, value, path + " in body " + rest);
    }

    void wrongType(Location at, String expected, String actual) {
        var path = at.dotted();
        add(
                FieldError.Type.TYPE_INVALID,
                path,
                Json.of(actual),
                path + " in body must be of type " + expected + ": " + Json.of(actual));
    }

    void required(Location at) {
        add(FieldError.Type.REQUIRED, at.dotted(), null, "");
    }

    void forbidden(Location at, String key) {
        var path = at.dotted();
        add(FieldError.Type.INVALID, path, Json.of(key), path + "." + key + " in body is a forbidden property");
    }

    void notSupported(Location at, Json value, List<Json> supported) {
        var quoted = supported.stream()
                .map(each -> Json.of(each.display()).toString())
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
        add(FieldError.Type.NOT_SUPPORTED, at.dotted(), value, "supported values: " + quoted);
    }

    void tooLong(Location at, long limit) {
        add(
                FieldError.Type.TOO_LONG,
                at.dotted(),
                null,
                "may not be more than " + limit + (limit == 1 ? " byte" : " bytes"));
    }

    void tooMany(Location at, int actual, long limit) {
        add(
                FieldError.Type.TOO_MANY,
                at.dotted(),
                Json.of(actual),
                "must have at most " + limit + (limit == 1 ? " item" : " items"));
    }

    /// About the whole object, as far as Kubernetes tells.
    void general(String message) {
        add(FieldError.Type.INVALID, "", Json.of(""), message);
    }
}

package dev.towtank.apiserver.catalog;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.ObjectMetas;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks what a conversion webhook made of objects: they must be the same objects, in the version that was wanted.
record ConversionAnswer(List<Json.Obj> objects, String apiVersion) {

    /// An answer that cannot be used; the text continues a sentence that says which webhook it is from.
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    List<Json.Obj> read(Json.Obj review, String reviewVersion, String uid) throws Wrong {
        if (reviewVersion.equals("v1")) {
            checkReview(review, uid);
        }
        var response = response(review);
        var result = response.object("result");
        if (!result.string("status").equals("Success")) {
            var message = result.string("message");
            throw new Wrong(" failed: "
                    + (message.isEmpty()
                            ? "response.result.status was '" + result.string("status") + "', not 'Success'"
                            : message));
        }
        var converted = response.array("convertedObjects");
        if (converted.size() != objects.size()) {
            throw new Wrong(" returned " + converted.size() + " objects, expected " + objects.size());
        }
        var all = new ArrayList<Json.Obj>(objects.size());
        for (int i = 0; i < objects.size(); i++) {
            all.add(check(objects.get(i), converted.get(i), i));
        }
        return all;
    }

    private static void checkReview(Json.Obj review, String uid) throws Wrong {
        var kind = review.string("apiVersion") + ", Kind=" + review.string("kind");
        if (!kind.equals("apiextensions.k8s.io/v1, Kind=ConversionReview")) {
            throw new Wrong(" failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got "
                    + kind);
        }
        var answered = response(review).string("uid");
        if (!answered.equals(uid)) {
            throw new Wrong(" failed: expected response.uid=" + Json.of(uid) + ", got " + Json.of(answered));
        }
    }

    private static Json.Obj response(Json.Obj review) throws Wrong {
        if (review.get("response") instanceof Json.Obj response) {
            return response;
        }
        throw new Wrong(" failed: no response provided");
    }

    private Json.Obj check(Json.Obj before, Json answer, int index) throws Wrong {
        boolean alone = objects.size() == 1;
        if (!(answer instanceof Json.Obj after) || after.string("kind").isEmpty()) {
            throw new Wrong(invalid(alone, index) + "Object 'Kind' is missing");
        }
        if (!after.string("apiVersion").equals(apiVersion)) {
            throw new Wrong(invalid(alone, index) + "invalid groupVersion (expected " + apiVersion + ", received "
                    + after.string("apiVersion") + ")");
        }
        if (!after.string("kind").equals(before.string("kind"))) {
            throw new Wrong(invalid(alone, index) + "invalid kind (expected " + before.string("kind") + ", received "
                    + after.string("kind") + ")");
        }
        for (var field : List.of("name", "namespace", "uid")) {
            same(before, after, field, alone ? " returned invalid object: " : invalid(false, index));
        }
        try {
            return after.with("metadata", metadata(before.object("metadata"), after.get("metadata")));
        } catch (Wrong e) {
            throw new Wrong((alone
                            ? " returned invalid metadata: "
                            : " returned invalid metadata in object at index " + index + ": ")
                    + e.text());
        }
    }

    private static String invalid(boolean alone, int index) {
        return " returned invalid " + (alone ? "" : "converted ") + "object at index " + index + ": ";
    }

    private static void same(Json.Obj before, Json.Obj after, String field, String prefix) throws Wrong {
        var expected = before.string("metadata", field);
        var found = after.string("metadata", field);
        if (!expected.equals(found)) {
            throw new Wrong(prefix + "must have the same " + (field.equals("uid") ? "UID" : field) + ": " + expected
                    + " != " + found);
        }
    }

    /// The metadata of the original, with the labels and annotations of the answer.
    private static Json.Obj metadata(Json.Obj before, @Nullable Json answer) throws Wrong {
        if (answer == null) {
            throw new Wrong("missing metadata in converted object");
        }
        if (!(answer instanceof Json.Obj after)) {
            throw new Wrong("invalid metadata of type " + goType(answer) + " in converted object");
        }
        var result = before;
        for (var field : List.of("labels", "annotations")) {
            result = result.withOrWithout(field, texts(field, before.get(field), after.get(field)));
        }
        return result;
    }

    private static @Nullable Json texts(String field, @Nullable Json before, @Nullable Json after) throws Wrong {
        if (after == null || after instanceof Json.Null) {
            return null;
        }
        if (!(after instanceof Json.Obj map)) {
            throw new Wrong("invalid metadata." + field + " of type " + goType(after) + " in converted object");
        }
        for (int i = 0; i < map.size(); i++) {
            if (!(map.value(i) instanceof Json.Str)) {
                throw new Wrong("metadata." + field + "[" + map.key(i) + "] must be a string, but is "
                        + goType(map.value(i)) + " in converted object");
            }
        }
        if (!map.equals(before)) {
            checkTexts(field, map);
        }
        return map;
    }

    private static void checkTexts(String field, Json.Obj map) throws Wrong {
        var errors = new FieldError.Collector();
        if (field.equals("labels")) {
            ObjectMetas.validateLabels(root(map, "labels", errors));
        } else {
            // Kubernetes leaves out the last letter here.
            ObjectMetas.validateAnnotations(root(map, "annotation", errors));
        }
        var found = errors.errors().stream().map(FieldError::message).distinct().collect(Collectors.joining(", "));
        if (!errors.isEmpty()) {
            throw new Wrong(errors.errors().size() == 1 ? found : "[" + found + "]");
        }
    }

    private static Field root(Json.Obj map, String name, FieldError.Collector errors) {
        return Field.root(Json.Obj.of("metadata", Json.Obj.of(name, map)), errors)
                .at("metadata", name);
    }

    private static String goType(Json value) {
        return switch (value) {
            case Json.Null _ -> "<nil>";
            case Json.Bool _ -> "bool";
            case Json.Int _ -> "int64";
            case Json.Real _ -> "float64";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "[]interface {}";
            case Json.Obj _ -> "map[string]interface {}";
        };
    }
}

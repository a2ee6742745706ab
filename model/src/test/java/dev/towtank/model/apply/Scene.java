package dev.towtank.model.apply;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.model.Json;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.time.Instant;

/// One object and those who write it; each write is a second after the one before.
final class Scene {

    static final Shape SMALL = CustomShapes.of(yaml("""
            type: object
            properties:
              spec:
                type: object
                properties:
                  size: {type: integer}
                  name: {type: string}
                  nested:
                    type: object
                    properties:
                      a: {type: string}
                      b: {type: string}
                  labels: {type: object, additionalProperties: {type: string}}
                  whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
                  args: {type: array, items: {type: string}}
                  tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                  items:
                    type: array
                    x-kubernetes-list-type: map
                    x-kubernetes-list-map-keys: [port, protocol]
                    items:
                      type: object
                      properties:
                        port: {type: integer}
                        protocol: {type: string, default: TCP}
                        value: {type: string}
                  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              status:
                type: object
                properties:
                  phase: {type: string}
            """));

    final Shape shape;
    final String apiVersion;
    Json.Obj live = Json.Obj.EMPTY;
    private long seconds;

    Scene(Shape shape, String apiVersion) {
        this.shape = shape;
        this.apiVersion = apiVersion;
    }

    static Scene small() {
        return new Scene(SMALL, "example.org/v1");
    }

    static Scene builtin(String apiVersion, String kind) {
        var type = Schemas.builtin().find(apiVersion, kind).orElseThrow();
        return new Scene(BuiltinShapes.of(type), apiVersion);
    }

    static Json.Obj yaml(String text) {
        return YamlText.parse(text) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
    }

    Scene apply(String name, String configuration) {
        return apply(name, yaml(configuration), false);
    }

    Scene force(String name, String configuration) {
        return apply(name, yaml(configuration), true);
    }

    Scene apply(String name, Json.Obj configuration, boolean force) {
        live = new Ownership(Versions.only(apiVersion, () -> shape))
                .apply(live, configuration, new Writer(name, apiVersion, ""), force, now());
        return this;
    }

    Scene update(String name, String object) {
        return update(name, yaml(object));
    }

    Scene update(String name, Json.Obj written) {
        live = new Ownership(Versions.only(apiVersion, () -> shape))
                .update(live, written, new Writer(name, apiVersion, ""), now());
        return this;
    }

    /// The whole object as it is, with something laid over it.
    Scene patch(String name, String change) {
        return update(name, OwnedTrees.merge(live, yaml(change), shape));
    }

    StatusError refused(String name, String configuration) {
        var error = catchThrowableOfType(StatusError.class, () -> apply(name, configuration));
        if (error == null) {
            throw new AssertionError("applied: " + live);
        }
        return error;
    }

    Json.Obj object() {
        return Owners.removedFrom(live);
    }

    Json.Obj spec() {
        return live.object("spec");
    }

    private Instant now() {
        return Instant.ofEpochSecond(1_700_000_000L + seconds++);
    }

    /// The fields of an owner, `""` where it owns nothing.
    String fields(String name) {
        for (var entry : live.objects("metadata", "managedFields")) {
            if (entry.string("manager").equals(name)) {
                return entry.object("fieldsV1").toString();
            }
        }
        return "";
    }

    String times(String name) {
        for (var entry : live.objects("metadata", "managedFields")) {
            if (entry.string("manager").equals(name)) {
                return entry.string("time");
            }
        }
        return "none";
    }
}

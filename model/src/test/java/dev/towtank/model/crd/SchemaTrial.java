package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;

/// A schema from YAML, and what it makes of objects.
public record SchemaTrial(CompiledSchema schema) {

    /// The schema of the whole object.
    public static SchemaTrial root(String yaml) {
        return new SchemaTrial(CompiledSchema.of(yaml(yaml)));
    }

    /// The schema of `spec.x`.
    public static SchemaTrial of(String yaml) {
        var x = Json.Obj.of("type", Json.of("object"), "properties", Json.Obj.of("x", yaml(yaml)));
        return new SchemaTrial(
                CompiledSchema.of(Json.Obj.of("type", Json.of("object"), "properties", Json.Obj.of("spec", x))));
    }

    /// An object with this `spec.x`.
    static Json.Obj object(String x) {
        return Json.Obj.of("spec", Json.Obj.of("x", YamlText.parse(x)));
    }

    public List<String> errors(String x) {
        return errors(object(x));
    }

    public List<String> errors(Json.Obj object) {
        var errors = new FieldError.Collector();
        schema.validate(object, errors);
        return messages(errors);
    }

    public List<String> updateErrors(String old, String x) {
        return updateErrors(object(old), object(x));
    }

    public List<String> updateErrors(Json.Obj old, Json.Obj object) {
        var errors = new FieldError.Collector();
        schema.validateUpdate(object, old, errors);
        return messages(errors);
    }

    Json defaulted(String x) {
        return schema.defaults(object(x)).object("spec").get("x");
    }

    Json pruned(String x) {
        return schema.prune(object(x), _ -> {}).object("spec").get("x");
    }

    List<String> unknown(Json.Obj object) {
        var unknown = new ArrayList<String>();
        schema.prune(object, unknown::add);
        return unknown;
    }

    public static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    public static List<String> messages(FieldError.Collector errors) {
        return errors.errors().stream().map(FieldError::message).toList();
    }
}

package dev.towtank.model.kinds;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;

/// Takes objects through the rules of a kind in the order in which the server does.
public record KindTrial(Kind<?> kind) {

    public static final String UID = "11111111-2222-3333-4444-555555555555";

    /// What is stored of a new object.
    public Json.Obj stored(String yaml) {
        var object = yaml(yaml).with(List.of("metadata", "uid"), Json.of(UID));
        return kind.rules().defaults(kind.rules().prepareCreate(object));
    }

    /// What is wrong with a new object.
    public List<String> errors(String yaml) {
        var object = stored(yaml);
        var errors = new FieldError.Collector();
        kind.rules().validate(object, errors);
        kind.rules().validateCreate(object, errors);
        return messages(errors);
    }

    /// What is wrong with a change of a stored object.
    public List<String> updateErrors(String oldYaml, String newYaml) {
        var old = stored(oldYaml);
        return updateErrors(old, yaml(newYaml));
    }

    public List<String> updateErrors(Json.Obj old, Json.Obj changed) {
        var object = changed.with(List.of("metadata", "uid"), Json.of(UID));
        object = kind.rules().defaults(kind.rules().prepareUpdate(object, old));
        var errors = new FieldError.Collector();
        kind.rules().validate(object, errors);
        kind.rules().validateUpdate(object, old, errors);
        return messages(errors);
    }

    public List<String> statusErrors(String oldYaml, String newYaml) {
        var errors = new FieldError.Collector();
        kind.rules().validateStatus(yaml(newYaml), yaml(oldYaml), errors);
        return messages(errors);
    }

    public List<String> headings() {
        return kind.columns().stream().map(column -> column.name()).toList();
    }

    public List<String> row(String yaml, String now) {
        return row(yaml(yaml), now);
    }

    public List<String> row(Json.Obj object, String now) {
        return kind.columns().stream()
                .map(column -> column.cell().of(object, Instant.parse(now)).display())
                .toList();
    }

    private static List<String> messages(FieldError.Collector errors) {
        return errors.errors().stream().map(FieldError::message).toList();
    }

    public static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }
}

package dev.towtank.model.kinds.apps;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import java.util.Locale;

public final class ControllerRevisions {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("apps", "v1", "ControllerRevision", "controllerrevisions")
            .withRules(new ControllerRevisionRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Controller", (object, _) -> Json.of(controller(object))),
                    Column.text("Revision", (object, _) -> Json.of(object.integer("revision"))),
                    Column.ofAge());

    private ControllerRevisions() {}

    private static String controller(Json.Obj object) {
        return Resource.of(object)
                .controller()
                .map(owner -> {
                    var kind = owner.group().isEmpty() ? owner.kind() : owner.kind() + "." + owner.group();
                    return kind.toLowerCase(Locale.ROOT) + "/" + owner.name();
                })
                .orElse("<none>");
    }

    private static final class ControllerRevisionRules implements Rules {

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            root.at("revision").nonNegative();
            var data = root.at("data");
            if (!data.isPresent()) {
                errors.required(data.path(), "data is mandatory");
            } else if (!(data.value() instanceof Json.Obj)) {
                errors.required(data.path(), "data must be a valid JSON object");
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            Field.root(object, errors).at("data").immutable(old.get("data"));
        }
    }
}

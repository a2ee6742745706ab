package dev.towtank.model.kinds.events;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Events in the form of `events.k8s.io/v1`. What is stored is the core form, see [EventConversion].
public final class Events {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("events.k8s.io", "v1", "Event", "events")
            .withShortNames("ev")
            .withRules(new EventRules())
            .withColumns(columns());

    private Events() {}

    /// The columns of the core form.
    private static Column[] columns() {
        return dev.towtank.model.kinds.core.Events.KIND.columns().stream()
                .map(column -> new Column(
                        column.name(),
                        column.type(),
                        column.format(),
                        column.description(),
                        column.priority(),
                        (event, now) -> column.cell().of(EventConversion.toCore(event), now)))
                .toArray(Column[]::new);
    }

    private static final class EventRules implements Rules {

        // The rules, and the fields that their messages name, are those of the stored form.
        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            EventChecks.validate(EventConversion.toCore(object), errors);
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            EventChecks.validateCreate(EventConversion.toCore(object), errors);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            EventChecks.validateUpdate(EventConversion.toCore(object), EventConversion.toCore(old), errors);
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            var fields = new LinkedHashMap<String, Function<Json.Obj, String>>();
            for (var name : List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
                fields.put("regarding." + name, event -> event.string("regarding", name));
            }
            for (var name : List.of("reason", "reportingController", "type")) {
                fields.put(name, event -> event.string(name));
            }
            return Map.copyOf(fields);
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }
    }
}

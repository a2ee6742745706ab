package dev.towtank.controllers.secrets;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Optional;

/// The conditions of a status. Each keeps its place, since several write into one list.
final class OrderedConditions {

    private OrderedConditions() {}

    static Optional<Json.Obj> find(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst();
    }

    static Json.Obj with(Json.Obj status, Json.Obj wanted) {
        var type = wanted.string("type");
        var all = new ArrayList<Json>();
        for (var condition : status.objects("conditions")) {
            all.add(condition.string("type").equals(type) ? wanted : condition);
        }
        if (find(status, type).isEmpty()) {
            all.add(wanted);
        }
        return status.with("conditions", new Json.Arr(all));
    }

    static Json.Obj without(Json.Obj status, String type) {
        var all = new ArrayList<Json>();
        status.objects("conditions").stream()
                .filter(condition -> !condition.string("type").equals(type))
                .forEach(all::add);
        return status.with("conditions", new Json.Arr(all));
    }
}

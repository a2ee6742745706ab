package dev.towtank.controllers.models;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Locale;
import java.util.Map;

/// Tells addresses of a model's choice what happened to it: each entry of its history once, in order.
final class ModelNotice {

    private ModelNotice() {}

    /// What comes after a message.
    private record Told(Resource model, Json.Obj status, String address) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var plan = Plan.none().setStatus(ModelKinds.MODEL, model, status);
            var problem = result instanceof Json.Str(var text) ? text : "";
            return problem.isEmpty()
                    ? plan
                    : plan.then(Change.Event.warning(
                            model, "NotificationFailed", "%s was not told: %s".formatted(address, problem)));
        }
    }

    /// @param status that the model has by now
    static Plan next(Resource model, Json.Obj status) {
        var history = new ModelHistory(status.objects("history"));
        var targets = model.spec().objects("notifications");
        long told = status.integer("notified");
        var open = history.after(told);
        if (open.isEmpty() || targets.isEmpty()) {
            return Plan.none();
        }
        // One message at a time: which of the targets comes next is remembered beside the entry's number.
        var entry = open.getFirst();
        int target = (int) status.integer("notifiedTargets");
        boolean isLast = target + 1 >= targets.size();
        var after = isLast
                ? status.without("notifiedTargets").with("notified", Json.of(entry.integer("number")))
                : status.with("notifiedTargets", Json.of(target + 1));
        var to = targets.get(Math.min(target, targets.size() - 1));
        return Plan.of(new Change.Act(message(model, status, entry, to), new Told(model, after, to.string("url"))));
    }

    private static ModelDeed message(Resource model, Json.Obj status, Json.Obj entry, Json.Obj target) {
        var data = Json.Obj.builder()
                .put("model", model.name())
                .put("namespace", model.namespace())
                .put("event", entry.string("type"))
                .put("version", entry.string("version"))
                .put("current", status.string("current"))
                .put("message", entry.string("message"))
                .put("time", entry.string("time"))
                .build();
        return new ModelDeed(
                target.string("url"),
                target.string("format").equals("json") ? Map.of() : cloudEvent(model, entry),
                data);
    }

    /// The attributes of a CloudEvent in the binary form. Its id is the same when it is sent again.
    private static Map<String, String> cloudEvent(Resource model, Json.Obj entry) {
        return Map.of(
                "Ce-Specversion",
                "1.0",
                "Ce-Id",
                model.uid() + "-" + entry.integer("number"),
                "Ce-Source",
                "/apis/towtank.dev/v1/namespaces/%s/models/%s".formatted(model.namespace(), model.name()),
                "Ce-Subject",
                model.name(),
                "Ce-Type",
                "dev.towtank.model." + entry.string("type").toLowerCase(Locale.ROOT) + ".v1",
                "Ce-Time",
                entry.string("time"));
    }
}

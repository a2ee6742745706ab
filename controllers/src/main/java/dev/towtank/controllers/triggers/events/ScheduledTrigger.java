package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;

/// What a Trigger makes when it is time: its template with what its bindings say. There is no event, so nothing can be
/// read
/// out of one, and interceptors are not asked.
public record ScheduledTrigger(Resource trigger, World world) {

    private static final String GROUP = TriggersKinds.GROUP + "/";

    public TriggerOutcome at(Instant due) {
        var id = world.newUid();
        var event = new Event(
                id,
                "",
                Json.Obj.of("scheduled", Json.of(Timestamps.seconds(due))).toString(),
                new Headers(Map.of()),
                Json.Obj.EMPTY);
        try {
            var parts = new TriggerParts(trigger.namespace(), trigger.spec(), world);
            var template = parts.template();
            var values = Templates.params(parts.bindings(), template.object("spec"), event);
            boolean oldEscape = template.object("metadata", "annotations").has(Templates.OLD_ESCAPE);
            var objects = new ArrayList<Json.Obj>();
            for (var object : Templates.objects(template.object("spec"), values, world.newUid(), oldEscape)) {
                var labels = object.object("metadata", "labels")
                        .with(GROUP + "triggers-eventid", Json.of(id))
                        .with(GROUP + "trigger", Json.of(trigger.name()));
                var metadata = object.object("metadata").with("labels", labels);
                objects.add(object.with(
                        "metadata",
                        metadata.string("namespace").isEmpty()
                                ? metadata.with("namespace", Json.of(trigger.namespace()))
                                : metadata));
            }
            return new TriggerOutcome.Make(trigger.name(), trigger.namespace(), "", objects);
        } catch (EventRefusal e) {
            return new TriggerOutcome.Refused(trigger.name(), e.code(), e.text(), false);
        }
    }
}

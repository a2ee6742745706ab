package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;
import java.util.List;

/// What became of an event in one trigger.
public sealed interface TriggerOutcome {

    String trigger();

    /// Objects to create, in their order.
    ///
    /// @param namespace of the trigger
    /// @param account the ServiceAccount in that namespace that creates them; empty for that of the listener
    record Make(String trigger, String namespace, String account, List<Json.Obj> objects) implements TriggerOutcome {
        public Make {
            objects = List.copyOf(objects);
        }
    }

    /// @param isUsual whether it is daily business: an event of another type, or one that the filter lets not through
    record Refused(String trigger, EventRefusal.Code code, String message, boolean isUsual) implements TriggerOutcome {}
}

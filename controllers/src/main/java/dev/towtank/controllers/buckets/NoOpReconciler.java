package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Timestamps;
import java.time.Instant;

/// Takes objects that set up an object store where there is one already, and says that they change nothing.
record NoOpReconciler(Kind<Json.Obj> kind) implements Reconciler<Json.Obj, Boolean> {

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Boolean none, Instant now) {
        var object = observed.object();
        if (object.isDeleting() || object.status().string("phase").equals("Ready")) {
            return Plan.none();
        }
        var condition = Json.Obj.builder()
                .put("type", "Available")
                .put("status", "True")
                .put("reason", "NothingToDo")
                .put(
                        "message",
                        "buckets are kept by the object store of this server: nothing of spec has an effect here")
                .put("lastTransitionTime", Timestamps.seconds(now))
                .build();
        return Plan.none()
                .setStatus(kind, object, Json.Obj.of("phase", Json.of("Ready"), "conditions", Json.Arr.of(condition)));
    }
}

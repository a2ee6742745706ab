package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// Asks the models of a job, as its `modelValidation` says.
record CheckModels(Resource job) implements Deed {

    @Override
    public Json.Obj json() {
        return Json.Obj.of("checkModels", Json.of(job.describe()));
    }
}

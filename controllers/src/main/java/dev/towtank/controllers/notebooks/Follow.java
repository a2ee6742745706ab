package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// Does what is to follow the success of a job.
record Follow(Resource job) implements Deed {

    @Override
    public Json.Obj json() {
        return Json.Obj.of("follow", Json.of(job.describe()), "generation", Json.of(job.generation()));
    }
}

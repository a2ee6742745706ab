package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Resource;

/// Whether somebody wants an InferenceService to rest.
final class Stopping {

    static final String ANNOTATION = ServingKinds.GROUP + "/stop";

    private Stopping() {}

    static boolean isWanted(Resource service) {
        return service.annotations().getOrDefault(ANNOTATION, "").equalsIgnoreCase("true");
    }
}

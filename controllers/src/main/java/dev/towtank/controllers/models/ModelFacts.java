package dev.towtank.controllers.models;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What there is around a model.
///
/// @param versions of it
/// @param service the InferenceService that serves it
record ModelFacts(List<Resource> versions, Optional<Resource> service) {
    ModelFacts {
        versions = List.copyOf(versions);
    }
}

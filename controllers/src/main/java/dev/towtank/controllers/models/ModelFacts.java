package dev.towtank.controllers.models;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What there is around a model.
///
/// @param versions of it
/// @param service the InferenceService that serves it
/// @param linker the pod that makes `model.pkl` a link, while there is one
record ModelFacts(List<Resource> versions, Optional<Resource> service, Optional<Resource> linker) {
    ModelFacts {
        versions = List.copyOf(versions);
    }
}

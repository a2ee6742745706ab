package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Outside;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Optional;

/// What there is around a job.
///
/// @param pod the one of its name, whoever's it is
/// @param report what the run in it has told so far
record NotebookFacts(Optional<Resource> pod, Outside.Answer<Json.Obj> report) {}

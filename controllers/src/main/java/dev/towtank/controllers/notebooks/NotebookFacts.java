package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Outside;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Optional;

/// What there is around a job.
///
/// @param pod the one of its name, whoever's it is
/// @param report what the run in it has told so far
/// @param config the BuildConfig that makes its image, whoever's it is
/// @param build the newest build of that
/// @param run the PipelineRun that makes its image, whoever's it is
/// @param problem why that failed, in the words of the task that did
record NotebookFacts(
        Optional<Resource> pod,
        Outside.Answer<Json.Obj> report,
        Optional<Resource> config,
        Optional<Resource> build,
        Optional<Resource> run,
        Optional<String> problem) {}

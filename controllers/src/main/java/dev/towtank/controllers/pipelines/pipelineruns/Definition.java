package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.model.Json;
import java.util.Optional;

/// The pipeline of a run, as far as it is known: also of a run that cannot begin, people want to see what it was to do.
///
/// @param source the Pipeline that the run names; empty where the run has it in itself or began with it before
/// @param json of the pipeline; with params, context and workspaces in place, where the run came as far as that
record Definition(String pipelineName, Optional<Fetched.Found> source, Json.Obj json) {}

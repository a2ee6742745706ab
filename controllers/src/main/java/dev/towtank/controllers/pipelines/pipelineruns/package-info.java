/// Runs of pipelines: which tasks run when, with what, and how it all ends.
///
/// [Blueprint] is what a run is to do, made once: the pipeline with its params in place, and its graph.
/// [Children] is what has come of it. [PipelineRunReconciler] puts both together and decides what to create
/// and what to say.
@NullMarked
package dev.towtank.controllers.pipelines.pipelineruns;

import org.jspecify.annotations.NullMarked;

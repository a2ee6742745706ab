/// The graph of a pipeline and how far a run has come in it, as values that answer every question of scheduling: what
/// may start, what is skipped and why, whether it is over and how.
///
/// [Graph] is the shape, made once. [Progress] is the shape with what happened to its tasks; telling it what changed
/// costs what changed. [Schedule] is a progress seen in a [Situation] (cancelled, timed out), and has the answers.
@NullMarked
package dev.towtank.controllers.pipelines.graph;

import org.jspecify.annotations.NullMarked;

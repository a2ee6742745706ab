/// Runs of tasks: a TaskRun becomes a pod of the shape that Tekton gives it, and the pod's status becomes the run's.
///
/// [TaskRunReconciler] decides. [TaskPreparation] finds out what is to run and whether it can, [PodBuilder] makes the
/// pod, [PodReport] reads it back.
@NullMarked
package dev.towtank.controllers.pipelines.taskruns;

import org.jspecify.annotations.NullMarked;

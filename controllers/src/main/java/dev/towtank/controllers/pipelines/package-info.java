/// Tekton Pipelines: tasks, pipelines and their runs.
@NullMarked
package dev.towtank.controllers.pipelines;

import org.jspecify.annotations.NullMarked;

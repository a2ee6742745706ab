/// Tekton's entrypoint without its process: what `/tekton/bin/entrypoint` and the init containers of a task's pod do on
/// a cluster, done inside our node. The files under `/tekton` are the same, so steps notice no difference; waiting is
/// no polling.
@NullMarked
package dev.towtank.controllers.pipelines.entrypoint;

import org.jspecify.annotations.NullMarked;

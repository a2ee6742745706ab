/// Tekton's kinds in their older versions, and back.
///
/// Objects are JSON and only what has another name moves, so everything else survives. What the stored version
/// has no place for waits in annotations: those of Tekton where it has some, and one of ours for the rest.
@NullMarked
package dev.towtank.controllers.pipelines.conversion;

import org.jspecify.annotations.NullMarked;

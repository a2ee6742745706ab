/// Whole runs as YAML files: what is created, how steps end, and what is true in the end.
@NullMarked
package dev.towtank.controllers.pipelines.stories;

import org.jspecify.annotations.NullMarked;

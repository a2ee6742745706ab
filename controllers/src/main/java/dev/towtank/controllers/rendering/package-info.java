/// Rendering of charts and the like, for whoever needs objects from a repository.
@NullMarked
package dev.towtank.controllers.rendering;

import org.jspecify.annotations.NullMarked;

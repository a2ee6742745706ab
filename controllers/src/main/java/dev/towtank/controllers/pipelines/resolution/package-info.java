/// ResolutionRequests: somebody needs a definition, a [dev.towtank.controllers.pipelines.source.Resolver] looks for it.
@NullMarked
package dev.towtank.controllers.pipelines.resolution;

import org.jspecify.annotations.NullMarked;

/// What the registry keeps, and how it answers: the distribution protocol of the Open Container Initiative.
@NullMarked
package dev.towtank.controllers.registry.source;

import org.jspecify.annotations.NullMarked;

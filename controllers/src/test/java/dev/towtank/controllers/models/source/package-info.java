/// Tests.
@NullMarked
package dev.towtank.controllers.models.source;

import org.jspecify.annotations.NullMarked;

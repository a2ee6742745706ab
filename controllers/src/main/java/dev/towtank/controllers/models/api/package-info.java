/// The kinds of models.
@NullMarked
package dev.towtank.controllers.models.api;

import org.jspecify.annotations.NullMarked;

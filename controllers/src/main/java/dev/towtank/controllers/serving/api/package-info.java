/// The kinds of serving.
@NullMarked
package dev.towtank.controllers.serving.api;

import org.jspecify.annotations.NullMarked;

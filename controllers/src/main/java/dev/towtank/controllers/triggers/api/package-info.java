/// The kinds of Tekton Triggers.
@NullMarked
package dev.towtank.controllers.triggers.api;

import org.jspecify.annotations.NullMarked;

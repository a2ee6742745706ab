/// Tekton Triggers: listeners that make objects of the events that others send.
@NullMarked
package dev.towtank.controllers.triggers;

import org.jspecify.annotations.NullMarked;

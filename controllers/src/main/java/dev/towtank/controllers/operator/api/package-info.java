/// The kind of Tekton's operator that others may look at.
@NullMarked
package dev.towtank.controllers.operator.api;

import org.jspecify.annotations.NullMarked;

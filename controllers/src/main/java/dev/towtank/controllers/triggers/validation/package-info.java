/// What Tekton Triggers' webhooks say to objects of its kinds.
@NullMarked
package dev.towtank.controllers.triggers.validation;

import org.jspecify.annotations.NullMarked;

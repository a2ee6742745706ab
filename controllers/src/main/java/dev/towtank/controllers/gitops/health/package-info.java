/// Whether an object does what it is there for: pure functions of the object.
@NullMarked
package dev.towtank.controllers.gitops.health;

import org.jspecify.annotations.NullMarked;

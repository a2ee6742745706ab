/// Decides the steps of a sync: objects, what lives, and results so far in; the next step out.
@NullMarked
package dev.towtank.controllers.gitops.sync;

import org.jspecify.annotations.NullMarked;

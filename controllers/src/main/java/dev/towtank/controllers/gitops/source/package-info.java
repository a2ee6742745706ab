/// Reads repositories.
@NullMarked
package dev.towtank.controllers.gitops.source;

import org.jspecify.annotations.NullMarked;

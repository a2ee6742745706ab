/// Repositories of git, read by their own protocol within bounds; for every feature that reads one.
@NullMarked
package dev.towtank.controllers.git.source;

import org.jspecify.annotations.NullMarked;

/// Reads what is to be rendered: from the disk, from chart repositories and registries, and by git.
@NullMarked
package dev.towtank.controllers.rendering.source;

import org.jspecify.annotations.NullMarked;

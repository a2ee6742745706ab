/// Reads what is to be rendered from the disk.
@NullMarked
package dev.towtank.controllers.rendering.source;

import org.jspecify.annotations.NullMarked;

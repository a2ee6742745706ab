@NullMarked
package dev.towtank.controllers.notebooks.source;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.towtank.controllers.notebooks;

import org.jspecify.annotations.NullMarked;

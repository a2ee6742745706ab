/// What runs inside the pods of notebooks, and what is kept of it.
@NullMarked
package dev.towtank.controllers.notebooks.source;

import org.jspecify.annotations.NullMarked;

/// The kinds of notebooks, and what is written on their pods.
@NullMarked
package dev.towtank.controllers.notebooks.api;

import org.jspecify.annotations.NullMarked;

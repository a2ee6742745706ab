/// The three kinds of patches, as functions of trees.
@NullMarked
package dev.towtank.model.patch;

import org.jspecify.annotations.NullMarked;

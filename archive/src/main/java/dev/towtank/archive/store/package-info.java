/// What is archived, and the one place that writes and reads it.
@NullMarked
package dev.towtank.archive.store;

import org.jspecify.annotations.NullMarked;

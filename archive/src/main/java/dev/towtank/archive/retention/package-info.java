/// How long archived runs are kept.
@NullMarked
package dev.towtank.archive.retention;

import org.jspecify.annotations.NullMarked;

/// What speaks for a file's being applied as it is, and what against.
@NullMarked
package dev.towtank.app.lint.standing;

import org.jspecify.annotations.NullMarked;

/// What the built-in kinds share: a cursor to write validations with, and the rules for metadata, selectors, pod
/// templates and quantities. Each kind is a value in a package of its group below this one.
@NullMarked
package dev.towtank.model.kinds;

import org.jspecify.annotations.NullMarked;

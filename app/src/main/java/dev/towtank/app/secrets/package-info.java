/// Shows the way of a Secret's values from where they are made to who uses them, and where it is broken.
@NullMarked
package dev.towtank.app.secrets;

import org.jspecify.annotations.NullMarked;

/// What `render` does: finds out what it looks at, and makes objects of it.
@NullMarked
package dev.towtank.app.render;

import org.jspecify.annotations.NullMarked;

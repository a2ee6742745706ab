/// What will go wrong in a sync although the server takes all of its objects.
@NullMarked
package dev.towtank.app.applications.foresight;

import org.jspecify.annotations.NullMarked;

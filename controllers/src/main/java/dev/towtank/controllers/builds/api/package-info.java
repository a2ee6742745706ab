/// The kinds of builds and of what they make, for those who wait for them.
@NullMarked
package dev.towtank.controllers.builds.api;

import org.jspecify.annotations.NullMarked;

/// Tests of builds.
@NullMarked
package dev.towtank.controllers.builds;

import org.jspecify.annotations.NullMarked;

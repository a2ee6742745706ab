/// What builds read and write outside: repositories, logs, and the images of this machine.
@NullMarked
package dev.towtank.controllers.builds.source;

import org.jspecify.annotations.NullMarked;

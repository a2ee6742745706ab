/// The proxy, its backends, and what waits to be sent again.
@NullMarked
package dev.towtank.controllers.spray.source;

import org.jspecify.annotations.NullMarked;

/// One address for the events of forges, many servers that want them: each gets every event, as it was sent.
@NullMarked
package dev.towtank.controllers.spray;

import org.jspecify.annotations.NullMarked;

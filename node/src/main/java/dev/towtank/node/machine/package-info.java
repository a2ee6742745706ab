/// This machine as a Node object, and the heartbeat that says it is alive.
@NullMarked
package dev.towtank.node.machine;

import org.jspecify.annotations.NullMarked;

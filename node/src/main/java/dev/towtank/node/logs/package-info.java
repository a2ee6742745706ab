/// The stored output of containers: bounded, masked, with the time of each line, and readable while it grows.
@NullMarked
package dev.towtank.node.logs;

import org.jspecify.annotations.NullMarked;

/// Logical clusters of a server, for people.
@NullMarked
package dev.towtank.app.clusters;

import org.jspecify.annotations.NullMarked;

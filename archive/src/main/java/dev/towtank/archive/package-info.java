/// Keeps finished objects and their logs in SQL after the cluster has forgotten them, and answers queries.
/// Knows the cluster only through its port.
@NullMarked
package dev.towtank.archive;

import org.jspecify.annotations.NullMarked;

/// Puts pods on the one node there is: [Scheduling] decides as a pure function, [Scheduler] binds.
@NullMarked
package dev.towtank.node.scheduling;

import org.jspecify.annotations.NullMarked;

/// Startup, readiness and liveness probes: how they are done, and what several results in a row mean.
@NullMarked
package dev.towtank.node.probes;

import org.jspecify.annotations.NullMarked;

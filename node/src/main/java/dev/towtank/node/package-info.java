/// Runs pods as sandboxed processes on this machine, with their volumes, logs and probes.
/// Knows the cluster only through its port.
@NullMarked
package dev.towtank.node;

import org.jspecify.annotations.NullMarked;

/// The kinds of `apps/v1`: workloads that keep a number of pods running.
@NullMarked
package dev.towtank.model.kinds.apps;

import org.jspecify.annotations.NullMarked;

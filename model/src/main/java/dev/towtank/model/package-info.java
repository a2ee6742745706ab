/// Kubernetes objects as immutable values: JSON trees, resources, kinds, selectors and patches.
/// Values only: no I/O, no clock, no threads.
@NullMarked
package dev.towtank.model;

import org.jspecify.annotations.NullMarked;

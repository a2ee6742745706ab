/// The kinds of `scheduling.k8s.io/v1`: which pods go first.
@NullMarked
package dev.towtank.model.kinds.scheduling;

import org.jspecify.annotations.NullMarked;

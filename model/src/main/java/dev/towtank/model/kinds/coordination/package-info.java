/// The kinds of `coordination.k8s.io/v1`: who is the leader, and until when.
@NullMarked
package dev.towtank.model.kinds.coordination;

import org.jspecify.annotations.NullMarked;

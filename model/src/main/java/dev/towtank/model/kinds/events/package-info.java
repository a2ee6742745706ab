/// The kind of `events.k8s.io/v1`, another view on the events of the core group.
@NullMarked
package dev.towtank.model.kinds.events;

import org.jspecify.annotations.NullMarked;

/// The kinds of `discovery.k8s.io/v1`: where the pods behind a service are.
@NullMarked
package dev.towtank.model.kinds.discovery;

import org.jspecify.annotations.NullMarked;

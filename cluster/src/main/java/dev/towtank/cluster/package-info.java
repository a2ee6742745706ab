/// The port to a Kubernetes, embedded or remote, and the control loop that runs over it.
/// Informers, work queues and reconcilers live here; fabric8 stays inside the remote implementation.
@NullMarked
package dev.towtank.cluster;

import org.jspecify.annotations.NullMarked;

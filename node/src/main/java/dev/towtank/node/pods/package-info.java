/// The life of pods on this node. [PodActions] decides what to do next and [PodStatus] what to say, both as pure
/// functions of the pod and of what is known about its containers; one [PodWorker] per pod acts on it.
@NullMarked
package dev.towtank.node.pods;

import org.jspecify.annotations.NullMarked;

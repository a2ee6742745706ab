/// ReplicaSets keep a number of pods; Deployments move from one ReplicaSet to the next.
@NullMarked
package dev.towtank.controllers.workloads.replicas;

import org.jspecify.annotations.NullMarked;

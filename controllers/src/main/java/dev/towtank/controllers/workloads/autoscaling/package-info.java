/// How many replicas a workload gets by what its pods use.
@NullMarked
package dev.towtank.controllers.workloads.autoscaling;

import org.jspecify.annotations.NullMarked;

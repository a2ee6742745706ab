/// `autoscaling/v2` and `autoscaling/v1`: how many replicas a workload should have, by what its pods use.
@NullMarked
package dev.towtank.model.kinds.autoscaling;

import org.jspecify.annotations.NullMarked;

/// What tests of every module share: time moved by hand, a cluster in memory, the contract of every
/// `Cluster`, scenarios and the seeded simulation.
@NullMarked
package dev.towtank.cluster.testing;

import org.jspecify.annotations.NullMarked;

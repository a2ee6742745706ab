/// HyperShift's kinds: hosted clusters and their pools of nodes.
@NullMarked
package dev.towtank.controllers.testclusters.hypershift;

import org.jspecify.annotations.NullMarked;

/// A logical cluster, as what stands behind every provider.
@NullMarked
package dev.towtank.controllers.testclusters.logical;

import org.jspecify.annotations.NullMarked;

/// Clusters that programs of this machine make: kind and k3d, where whoever started the server allowed it.
@NullMarked
package dev.towtank.controllers.testclusters.programs;

import org.jspecify.annotations.NullMarked;

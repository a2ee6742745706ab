/// What a node offers to the rest of the house about the pods it runs: logs, exec and port-forward for those who ask
/// through the API, and a place for programs that run inside the node instead of in a process.
@NullMarked
package dev.towtank.cluster.pods;

import org.jspecify.annotations.NullMarked;

/// Services on one machine: each has a loopback address of its own where a proxy listens, and a name in the hosts file
/// of every pod. [ServiceTable] says what there is, as a pure function of Services and EndpointSlices.
@NullMarked
package dev.towtank.node.network;

import org.jspecify.annotations.NullMarked;

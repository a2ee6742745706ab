/// What everybody who asks a registry of images must know of its protocol: where it is reached, how it wants to be told
/// who asks, and which of several passwords is meant for it. Nothing here asks by itself.
@NullMarked
package dev.towtank.cluster.registry;

import org.jspecify.annotations.NullMarked;

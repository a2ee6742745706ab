/// Images where they come from: their names, and registries asked by the distribution protocol.
@NullMarked
package dev.towtank.node.images.registry;

import org.jspecify.annotations.NullMarked;

/// Events about pods, written beside the work and never in its way.
@NullMarked
package dev.towtank.node.events;

import org.jspecify.annotations.NullMarked;

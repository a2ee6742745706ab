/// The volumes of pods: what is in them is a pure function of objects, how it gets to disk is atomic, and nothing in
/// them leads out of them. Claims are bound to directories on this machine.
@NullMarked
package dev.towtank.node.volumes;

import org.jspecify.annotations.NullMarked;

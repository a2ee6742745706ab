/// Loops that keep the whole store in order: garbage collection, namespaces and logical clusters that go, old events.
///
/// Each is one thread for all logical clusters, fed by everything that is committed. A real cluster has these itself,
/// so only the embedded engine starts them.
@NullMarked
package dev.towtank.apiserver.upkeep;

import org.jspecify.annotations.NullMarked;

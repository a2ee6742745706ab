/// The durable store: objects by key, one revision counter, recent history for watches.
///
/// The only package that knows the storage engine. A commit takes this way: [JournaledStore] makes the text ready in
/// the caller's thread ([Draft]); the one thread of the [Committer] gathers what waits into a [Batch], checks it,
/// has the [Journal] write it with one sync, and hands it to the [History], which publishes it to readers by moving
/// the revision. Readers see the [Index] of all versions; feeds ([Cursor]) walk the [Lane] of their resource.
@NullMarked
package dev.towtank.apiserver.store;

import org.jspecify.annotations.NullMarked;

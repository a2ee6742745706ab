/// The durable store: objects by key, one revision counter, recent history for watches.
///
/// The only package that knows the storage engine.
@NullMarked
package dev.towtank.apiserver.store;

import org.jspecify.annotations.NullMarked;

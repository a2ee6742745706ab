/// The object store: buckets as directories of the feature's own, and the server that opens them to those who have
/// keys. A key of an object never becomes a path.
@NullMarked
package dev.towtank.controllers.buckets.source;

import org.jspecify.annotations.NullMarked;

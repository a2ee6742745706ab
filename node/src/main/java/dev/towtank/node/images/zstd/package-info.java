/// Zstandard (RFC 8878), unpacked in plain Java. What there is besides is native code, or reaches past the bounds of
/// arrays
/// by means that Java warns of, and layers come from strangers.
@NullMarked
package dev.towtank.node.images.zstd;

import org.jspecify.annotations.NullMarked;

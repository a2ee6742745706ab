/// Requests to state: one file a verb, each from decoding to commit.
///
/// A write is decoded, completed with system metadata, changed by admission, defaulted, validated, checked by admission
/// and committed; a conflict with somebody else's write starts it again from the newest state.
@NullMarked
package dev.towtank.apiserver.registry;

import org.jspecify.annotations.NullMarked;

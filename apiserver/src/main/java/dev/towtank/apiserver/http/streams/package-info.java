/// The streams of `exec`, `attach` and `port-forward`: over WebSocket or SPDY, as the client asks, to the one port by
/// which pods are reached. All of it blocks, on virtual threads.
@NullMarked
package dev.towtank.apiserver.http.streams;

import org.jspecify.annotations.NullMarked;

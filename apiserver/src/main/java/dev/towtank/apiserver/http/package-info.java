/// The API over HTTP: turns requests into calls, and answers or refusals into responses.
///
/// [ApiHandler] is the path of a request, on one screen. The only package that knows Jetty. Reads are answered on
/// Jetty's own threads, because they never wait; whatever may wait runs on a virtual thread; watches hold no thread at
/// all.
@NullMarked
package dev.towtank.apiserver.http;

import org.jspecify.annotations.NullMarked;

/// The way to forges and repositories, and the listener.
@NullMarked
package dev.towtank.controllers.pipelinesascode.source;

import org.jspecify.annotations.NullMarked;

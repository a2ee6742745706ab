/// Puts the modules together: a server of our own in this process, with its features, node, ports and files, or
/// features
/// against another server.
@NullMarked
package dev.towtank.app.engine;

import org.jspecify.annotations.NullMarked;

/// The archive behind a proxy that knows workspaces: one address, and several servers that each have some of them.
@NullMarked
package dev.towtank.archive.plugin;

import org.jspecify.annotations.NullMarked;

/// Lua 5.1 with `goto`, for the health checks and actions that people write for Argo CD.
///
/// An interpreter that walks a tree, and nothing else: a script sees the values it is given and a few pure libraries.
/// There is no way from here to a file, a class, a clock or a thread, and every run ends, because steps, memory and
/// depth are
/// counted.
@NullMarked
package dev.towtank.model.lua;

import org.jspecify.annotations.NullMarked;

/// Starts containers as sandboxed process trees, finds them again after a restart, and tells how they ended.
/// [dev.towtank.node.sandbox.Sandbox] is the only place of the house where processes start.
@NullMarked
package dev.towtank.node.sandbox;

import org.jspecify.annotations.NullMarked;

/// Puts the modules together with plain constructors, and offers the command line, console and configuration.
/// The only module that sees all the others.
@NullMarked
package dev.towtank.app;

import org.jspecify.annotations.NullMarked;

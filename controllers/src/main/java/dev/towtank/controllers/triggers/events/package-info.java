/// What becomes of an event: interceptors judge it, bindings read it, templates make objects of it. No I/O; what is
/// asked of others goes through ports.
@NullMarked
package dev.towtank.controllers.triggers.events;

import org.jspecify.annotations.NullMarked;

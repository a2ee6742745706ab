/// Where listeners meet the world: their ports, the interceptors that others run, and the API that objects are
/// created in.
@NullMarked
package dev.towtank.controllers.triggers.source;

import org.jspecify.annotations.NullMarked;

/// A registry of our own for images, on the loopback address: what runs build, they push there, and later pods pull it.
@NullMarked
package dev.towtank.controllers.registry;

import org.jspecify.annotations.NullMarked;

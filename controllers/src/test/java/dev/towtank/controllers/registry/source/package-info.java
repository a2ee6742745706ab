@NullMarked
package dev.towtank.controllers.registry.source;

import org.jspecify.annotations.NullMarked;

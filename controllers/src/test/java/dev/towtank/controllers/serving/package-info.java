@NullMarked
package dev.towtank.controllers.serving;

import org.jspecify.annotations.NullMarked;

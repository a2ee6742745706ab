@NullMarked
package dev.towtank.controllers.git.source;

import org.jspecify.annotations.NullMarked;

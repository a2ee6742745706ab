@NullMarked
package dev.towtank.app.secrets;

import org.jspecify.annotations.NullMarked;

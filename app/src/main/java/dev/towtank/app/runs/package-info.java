/// Runs wherever they are: on a server, in its archive, and those that `towtank run` remembers.
@NullMarked
package dev.towtank.app.runs;

import org.jspecify.annotations.NullMarked;

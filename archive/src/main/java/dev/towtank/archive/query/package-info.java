/// Questions about archived runs and their logs, for people rather than for the REST interface.
@NullMarked
package dev.towtank.archive.query;

import org.jspecify.annotations.NullMarked;

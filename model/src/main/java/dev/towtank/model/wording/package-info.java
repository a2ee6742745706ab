/// What Go's readers say about texts that they cannot read.
@NullMarked
package dev.towtank.model.wording;

import org.jspecify.annotations.NullMarked;

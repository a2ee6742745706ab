/// The kinds of `policy/v1`: how many pods may be disrupted at once.
@NullMarked
package dev.towtank.model.kinds.policy;

import org.jspecify.annotations.NullMarked;

/// The functions that templates of different projects may call, in sets: Sprig's, Helm's, External Secrets' and those
/// of
/// application sets.
@NullMarked
package dev.towtank.model.template.functions;

import org.jspecify.annotations.NullMarked;

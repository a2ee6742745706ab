/// Structural schemas, and what they say of a value: its types, bounds and lists, what is pruned and what is filled in.
@NullMarked
package dev.towtank.model.crd.schema;

import org.jspecify.annotations.NullMarked;

/// Expressions in the Common Expression Language, with the functions that Kubernetes adds to it.
///
/// The only package that knows the CEL library. Callers describe their data with a [Shape], compile a text to an
/// [Expression] once, and evaluate it on JSON as often as they like, each time under a cost limit.
@NullMarked
package dev.towtank.model.cel;

import org.jspecify.annotations.NullMarked;

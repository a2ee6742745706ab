/// The part of jq that people use to name fields, as in Argo CD's `ignoreDifferences`.
///
/// There is no way to define a function, so nothing recurses but the data, and every run ends: each value counts as a
/// step.
/// What is not supported is refused by name when the expression is compiled.
@NullMarked
package dev.towtank.model.jq;

import org.jspecify.annotations.NullMarked;

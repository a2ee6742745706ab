/// Filters of lists, written in the Common Expression Language, as conditions in SQL.
///
/// What can be said is what Tekton Results can translate; anything else is refused by its place in the text. Constants
/// of a filter, also the names of fields, become parameters.
@NullMarked
package dev.towtank.archive.filter;

import org.jspecify.annotations.NullMarked;

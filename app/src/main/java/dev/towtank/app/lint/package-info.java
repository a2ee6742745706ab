/// Finds mistakes in files before any server sees them. A [Linter] takes texts and gives findings; every family
/// of rules is a [Check] that looks at one document at a time, so that files can be read one after the other
/// and many of them at once. What spans files (a Pipeline here, its Task there) is noted down as definitions
/// and references, small values, and matched at the end.
///
/// The order: [SourceFiles] finds files, [DocumentReader] makes documents of a text, the checks fill
/// [Observations], [References] matches, `script` asks the shells, `report` shows.
@NullMarked
package dev.towtank.app.lint;

import org.jspecify.annotations.NullMarked;

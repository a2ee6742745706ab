/// Decides which runs are archived when, and when they may go.
///
/// A run is held by a finalizer from the moment it is seen. Once it has finished, with all its children and their pods,
/// all of that is archived together; then it is marked, and deleted when its time has come. What counts as archived is
/// what the archive itself says, never a mark on the object. So a crash between any two steps leads to the same step
/// again, and nothing goes unarchived.
@NullMarked
package dev.towtank.archive.watch;

import org.jspecify.annotations.NullMarked;

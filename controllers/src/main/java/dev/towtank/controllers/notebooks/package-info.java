/// Notebooks that are run to see whether they still do what they should: a NotebookValidationJob runs one cell by cell
/// in a
/// pod, and tells of every cell while it does.
@NullMarked
package dev.towtank.controllers.notebooks;

import org.jspecify.annotations.NullMarked;

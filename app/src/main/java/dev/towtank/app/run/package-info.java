/// `towtank run`: one run of a pipeline or task on an engine of its own, from files to an exit code.
///
/// `input` reads what the user gave and decides what runs; `view` turns the state of a run into text; `history`
/// remembers
/// finished runs, and makes new runs of them. Here is what acts.
@NullMarked
package dev.towtank.app.run;

import org.jspecify.annotations.NullMarked;

/// Finished runs: where they are kept, how they leave the machine, and how a new run goes on from one.
@NullMarked
package dev.towtank.app.run.history;

import org.jspecify.annotations.NullMarked;

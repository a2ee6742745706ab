/// The images of a run, looked at before it starts.
@NullMarked
package dev.towtank.app.run.images;

import org.jspecify.annotations.NullMarked;

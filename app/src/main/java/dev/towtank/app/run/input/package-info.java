/// What the user gave, read and checked before anything starts: files, params, workspaces, and which run they mean.
@NullMarked
package dev.towtank.app.run.input;

import org.jspecify.annotations.NullMarked;

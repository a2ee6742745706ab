/// What commands share: where they read and write, which server and directory they are about, and how problems are
/// told.
@NullMarked
package dev.towtank.app.shell;

import org.jspecify.annotations.NullMarked;

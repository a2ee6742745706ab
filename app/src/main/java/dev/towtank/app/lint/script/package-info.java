/// What the shells and Python of this machine, and shellcheck, say of the programs in files.
@NullMarked
package dev.towtank.app.lint.script;

import org.jspecify.annotations.NullMarked;

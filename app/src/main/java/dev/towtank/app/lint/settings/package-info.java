/// What a repository decides about findings: which count, where, and since when.
@NullMarked
package dev.towtank.app.lint.settings;

import org.jspecify.annotations.NullMarked;

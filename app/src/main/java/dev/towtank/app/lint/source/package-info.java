/// Files as the linter reads them: texts with their documents, and where in a text each field stands.
@NullMarked
package dev.towtank.app.lint.source;

import org.jspecify.annotations.NullMarked;

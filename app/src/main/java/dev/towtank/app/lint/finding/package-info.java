/// What a check has to say: which rule, where, how bad, and which edit would mend it.
@NullMarked
package dev.towtank.app.lint.finding;

import org.jspecify.annotations.NullMarked;

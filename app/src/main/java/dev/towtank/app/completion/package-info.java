/// What shells complete after `towtank`, made from the command line itself, so that it never lags behind.
@NullMarked
package dev.towtank.app.completion;

import org.jspecify.annotations.NullMarked;

/// What the commands about Applications know: how one stands, and why.
@NullMarked
package dev.towtank.app.applications;

import org.jspecify.annotations.NullMarked;

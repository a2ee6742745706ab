/// Notebooks run without a cluster.
@NullMarked
package dev.towtank.app.notebook;

import org.jspecify.annotations.NullMarked;

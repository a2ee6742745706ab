/// Where tokens and passwords come from.
@NullMarked
package dev.towtank.controllers.testclusters.source;

import org.jspecify.annotations.NullMarked;

/// The kinds of test clusters.
@NullMarked
package dev.towtank.controllers.testclusters.api;

import org.jspecify.annotations.NullMarked;

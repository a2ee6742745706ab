/// The kinds of Argo CD, and the names by which it marks objects.
@NullMarked
package dev.towtank.controllers.gitops.api;

import org.jspecify.annotations.NullMarked;

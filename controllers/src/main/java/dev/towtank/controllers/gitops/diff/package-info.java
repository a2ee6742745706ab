/// What counts as a difference between what a repository wants and what lives: pure functions of objects.
@NullMarked
package dev.towtank.controllers.gitops.diff;

import org.jspecify.annotations.NullMarked;

/// Makes objects of the files of a repository.
@NullMarked
package dev.towtank.controllers.gitops.rendering;

import org.jspecify.annotations.NullMarked;

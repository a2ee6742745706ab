/// Keeps what runs as a git repository says, with the kinds of Argo CD.
@NullMarked
package dev.towtank.controllers.gitops;

import org.jspecify.annotations.NullMarked;

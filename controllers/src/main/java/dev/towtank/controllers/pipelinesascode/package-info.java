/// Pipelines-as-Code: what a repository keeps in `.tekton` runs when it is pushed to.
@NullMarked
package dev.towtank.controllers.pipelinesascode;

import org.jspecify.annotations.NullMarked;

/// Runs of repositories: how they are made, and what they say about themselves.
@NullMarked
package dev.towtank.controllers.pipelinesascode.runs;

import org.jspecify.annotations.NullMarked;

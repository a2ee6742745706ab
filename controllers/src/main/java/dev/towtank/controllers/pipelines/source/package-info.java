/// Fetches definitions from outside the cluster: out of git repositories, from web servers, hubs and registries. A
/// [Resolver] gets a question and gives an answer; [Fetch] is all that it knows of HTTP, and git is known here alone.
@NullMarked
package dev.towtank.controllers.pipelines.source;

import org.jspecify.annotations.NullMarked;

/// Fetches definitions from outside the cluster: out of git repositories and from web servers.
@NullMarked
package dev.towtank.controllers.pipelines.source;

import org.jspecify.annotations.NullMarked;
